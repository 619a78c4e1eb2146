import { createHash, randomBytes } from "node:crypto";
import type { Countersign } from "@countersign/sdk";
import type { Locator } from "playwright-core";
import { describe, expect, test } from "vitest";
import { choose, press, write } from "../hands.ts";
import { sights, type Harness, type Visit } from "../harness.ts";

/** A name with markup, a right-to-left override and a zero-width space. */
const hostile = `<img src=x onerror="document.title='owned'">\u202Etob\u200B`;

const buttonIn = (within: Visit["page"] | Locator, name: string | RegExp): Locator =>
  within.getByRole("button", { name });

/** Returns the HTTP status that the service answers to a key. */
const statusOf = async (harness: Harness, apiKey: string): Promise<number> =>
  (await fetch(`${harness.stack.urls.api}/user-api-keys/self`, { headers: { "x-api-key": apiKey } })).status;

const secretIn = async (dialog: Locator): Promise<string> =>
  (await dialog.locator("code").textContent()) ?? "";

export const accessFlows = (harness: () => Harness): void => {
  describe("agents and keys", () => {
    test.each(sights)("creates, shows once, rotates and revokes a key: $screen, $scheme", async (sight) => {
      const owner = await harness().makeOwner();
      const visit = await harness().visit({ owner, ...sight });
      const { page } = visit;
      const dialog = page.getByRole("dialog");
      await visit.goto("/access");

      await press(visit, buttonIn(page, "New key"));
      await write(visit, dialog.getByLabel("Name"), "treasury agent");
      await choose(visit, dialog.getByRole("radio", { name: "30 days" }));
      expect(await visit.axe()).toEqual([]);
      await press(visit, buttonIn(dialog, "Create key"));
      await dialog.getByText("Copy your key now").waitFor();
      const first = await secretIn(dialog);
      expect(await statusOf(harness(), first)).toBe(200);
      await press(visit, buttonIn(dialog, "Copy key"));
      await dialog.getByRole("button", { name: "Copy key: copied" }).waitFor();
      await press(visit, buttonIn(dialog, "Done"));
      await page.getByText("Active", { exact: true }).waitFor();
      expect(await page.content()).not.toContain(first);
      expect((await owner.client.keys.list())[0]?.expiresAt).not.toBeNull();

      await press(visit, buttonIn(page, "Rotate treasury agent"));
      await press(visit, buttonIn(dialog, "Create new key"));
      await dialog.getByText("Copy your key now").waitFor();
      const second = await secretIn(dialog);
      expect(await statusOf(harness(), first)).toBe(200);
      expect(await dialog.getByRole("button", { name: "Revoke old key" }).isDisabled()).toBe(true);
      await press(visit, dialog.getByRole("checkbox"));
      await press(visit, buttonIn(dialog, "Revoke old key"));
      await page.getByText("1 revoked key").waitFor();
      expect([await statusOf(harness(), first), await statusOf(harness(), second)]).toEqual([401, 200]);

      await press(visit, buttonIn(page, "Revoke treasury agent"));
      await press(visit, buttonIn(dialog, "Cancel"));
      await page.locator("button:focus", { hasText: "Revoke" }).waitFor();
      expect(await statusOf(harness(), second)).toBe(200);
      await press(visit, buttonIn(page, "Revoke treasury agent"));
      await press(visit, buttonIn(dialog, "Revoke key"));
      await page.getByText("No active keys.").waitFor();
      expect(await statusOf(harness(), second)).toBe(401);
      expect(await visit.axe()).toEqual([]);
      expect(visit.complaints).toEqual([]);
      await visit.close();
    });

    test("shows a hostile key name as text", async () => {
      const owner = await harness().makeOwner();
      await owner.client.keys.create({ name: hostile });
      const visit = await harness().visit({ owner, screen: "phone" });
      await visit.goto("/access");
      await visit.page.getByText('<img src=x onerror="document.title=').waitFor();
      expect(await visit.page.getByText("U+202E").count()).toBe(1);
      expect(await visit.page.locator("main").textContent()).not.toMatch(/[\u202E\u200B]/);
      expect(await visit.page.title()).toBe("Agents and keys · Countersign");
      await visit.close();
    });

    test("shows no key if the service did not confirm it", async () => {
      const owner = await harness().makeOwner();
      const visit = await harness().visit({ owner });
      const dialog = visit.page.getByRole("dialog");
      await visit.goto("/access");
      await visit.page.route("**/api/user-api-keys", (route) =>
        route.request().method() === "POST" ? route.abort() : route.continue(),
      );
      await press(visit, buttonIn(visit.page, "New key"));
      await dialog.getByLabel("Name").fill("lost");
      await press(visit, buttonIn(dialog, "Create key"));
      await dialog.getByText("Couldn’t create the key").waitFor();
      await visit.page.keyboard.press("Escape");
      await visit.page.getByText("No active keys.").waitFor();
      await visit.close();
    });

    test("removes a connected app's access at once, after a confirmation", async () => {
      const owner = await harness().makeOwner();
      const { tokens, api } = await aGrant(harness(), owner.client);
      const visit = await harness().visit({ owner, screen: "phone" });
      await visit.goto("/access");
      await press(visit, buttonIn(visit.page, /^Remove access/));
      const dialog = visit.page.getByRole("dialog");
      await dialog.getByText("loses access to your account at once").waitFor();
      expect(await visit.axe()).toEqual([]);
      expect(await mayEnter(api, tokens.access_token)).toBe(true);
      await press(visit, buttonIn(dialog, "Remove access"));
      await visit.page.getByText("No apps connected yet.").waitFor();
      expect(await mayEnter(api, tokens.access_token)).toBe(false);
      await visit.close();
    });

    test("shows how to connect an agent at the service's address, and links to the public profile", async () => {
      const owner = await harness().makeOwner();
      const visit = await harness().visit({ owner });
      await visit.goto("/access");
      await visit.page.getByText(`${harness().stack.urls.api}/mcp`, { exact: true }).waitFor();
      const profile = visit.page.getByRole("link", { name: "View public profile" });
      expect(await profile.getAttribute("href")).toBe(`/agents/${owner.account.address}`);
      await visit.close();
    });
  });
};

const mayEnter = async (api: string, accessToken: string): Promise<boolean> => {
  const answer = await fetch(`${api}/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${accessToken}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({
      ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
      params: {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "an app", version: "1" },
      },
    }),
  });
  await answer.body?.cancel();
  return answer.status !== 401;
};

/** Connects an app for the owner, without a browser. */
async function aGrant(harness: Harness, owner: Countersign) {
  const { api } = harness.stack.urls;
  const redirectUri = "http://127.0.0.1:4567/callback";
  const registered = await fetch(`${api}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      ...{ redirect_uris: [redirectUri], client_name: "A desk assistant" },
      token_endpoint_auth_method: "none",
    }),
  });
  const { client_id: clientId } = (await registered.json()) as { client_id: string };
  const verifier = randomBytes(32).toString("base64url");
  const query = new URLSearchParams({
    ...{
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: "code",
      code_challenge_method: "S256",
    },
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
  });
  const led = await fetch(`${api}/oauth/authorize?${query.toString()}`, { redirect: "manual" });
  const sessionId = new URL(led.headers.get("location") ?? "").searchParams.get("session");
  const { body } = await owner.request<{ redirectUrl: string }>("/oauth/approve", {
    method: "POST",
    body: { sessionId },
  });
  const given = await fetch(`${api}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({
      ...{ grant_type: "authorization_code", client_id: clientId, redirect_uri: redirectUri },
      ...{ code: new URL(body.redirectUrl).searchParams.get("code") ?? "", code_verifier: verifier },
    }),
  });
  return { api, tokens: (await given.json()) as { access_token: string } };
}
