import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { press } from "../hands.ts";
import { sights, type Harness, type Visit } from "../harness.ts";

/** A name with markup, a right-to-left override and a zero-width space. */
const hostile = `<script>document.title='owned'</script> \u202Eknab ruoY\u200B`;

type Listener = { readonly redirectUri: string; readonly heard: URL[]; readonly close: () => Promise<void> };

/** The app's callback server on this machine. */
async function listen(): Promise<Listener> {
  const heard: URL[] = [];
  const server = createServer((request, response) => {
    heard.push(new URL(request.url ?? "/", "http://127.0.0.1"));
    response.end("You can close this.");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    heard,
    redirectUri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}

type Asked = { readonly session: string; readonly clientId: string; readonly verifier: string };

/** Registers the app and starts an authorization, which redirects to the consent page. */
async function ask(harness: Harness, visit: Visit, redirectUri: string, name = "An app"): Promise<Asked> {
  const { api } = harness.stack.urls;
  const registered = await visit.context.request.post(`${api}/oauth/register`, {
    data: { redirect_uris: [redirectUri], client_name: name, token_endpoint_auth_method: "none" },
  });
  const { client_id: clientId } = (await registered.json()) as { client_id: string };
  const verifier = randomBytes(32).toString("base64url");
  const query = new URLSearchParams({
    ...{ client_id: clientId, redirect_uri: redirectUri, response_type: "code", state: "state of the app" },
    ...{
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
    },
  });
  const led = await visit.context.request.get(`${api}/oauth/authorize?${query.toString()}`, {
    maxRedirects: 0,
  });
  expect(led.status()).toBe(302);
  const to = new URL(led.headers()["location"] ?? "");
  expect(to.pathname).toBe("/oauth/consent");
  return { session: to.searchParams.get("session") ?? "", clientId, verifier };
}

const answer = (visit: Visit, name: "Allow" | "Deny") =>
  visit.page.getByRole("button", { name, exact: true });

export const consentFlows = (harness: () => Harness): void => {
  describe("connecting an app", () => {
    test.each(sights)(
      "sends a code when the owner allows, and lists the access: $screen, $scheme",
      async (sight) => {
        const owner = await harness().makeOwner();
        const visit = await harness().visit({ owner, ...sight });
        const { page } = visit;
        const listener = await listen();
        const { session, clientId, verifier } = await ask(harness(), visit, listener.redirectUri, hostile);
        await visit.goto(`/oauth/consent?session=${session}`);
        await page.getByText("Not verified", { exact: true }).waitFor();
        expect(await page.getByText("<script>document.title='owned'</script>").count()).toBe(1);
        expect(await page.locator("body").textContent()).not.toMatch(/[\u202E\u200B]/);
        expect(await page.getByText(new URL(listener.redirectUri).host, { exact: true }).count()).toBe(1);
        expect(await page.getByText("Returns to an app on this computer").count()).toBe(1);
        expect(await page.getByText("It can never approve for you.").count()).toBe(1);
        expect(await visit.axe()).toEqual([]);
        expect(listener.heard).toEqual([]);
        await press(visit, answer(visit, "Allow"));
        await page.waitForURL(`${listener.redirectUri}?**`);
        const heard = listener.heard[0]?.searchParams;
        expect(heard?.get("state")).toBe("state of the app");
        const tokens = await fetch(`${harness().stack.urls.api}/oauth/token`, {
          method: "POST",
          body: new URLSearchParams({
            ...{ grant_type: "authorization_code", code: heard?.get("code") ?? "", code_verifier: verifier },
            ...{ redirect_uri: listener.redirectUri, client_id: clientId },
          }),
        });
        expect(tokens.status).toBe(200);
        const { body: grants } = await owner.client.request<{ clientId: string }[]>("/oauth/grants");
        expect(grants.map((grant) => grant.clientId)).toEqual([clientId]);
        expect(visit.complaints).toEqual([]);
        await Promise.all([visit.close(), listener.close()]);
      },
    );

    test.each(sights)("sends access_denied when the owner denies: $screen, $scheme", async (sight) => {
      const owner = await harness().makeOwner();
      const visit = await harness().visit({ owner, ...sight });
      const listener = await listen();
      const { session } = await ask(harness(), visit, listener.redirectUri);
      await visit.goto(`/oauth/consent?session=${session}`);
      await answer(visit, "Deny").click();
      await visit.page.waitForURL(`${listener.redirectUri}?**`);
      expect(listener.heard[0]?.searchParams.get("error")).toBe("access_denied");
      expect(listener.heard[0]?.searchParams.has("code")).toBe(false);
      expect((await owner.client.request("/oauth/grants")).body).toEqual([]);
      await visit.goto(`/oauth/consent?session=${session}`);
      await visit.page.getByText("Request expired").waitFor();
      await Promise.all([visit.close(), listener.close()]);
    });

    test("says so when the request is missing or unknown", async () => {
      const visit = await harness().visit({ owner: await harness().makeOwner() });
      await visit.goto("/oauth/consent");
      await visit.page.getByText("The link has no request").waitFor();
      for (const session of ["4b9f2f0e-0000-4000-8000-000000000000", "nonsense"]) {
        await visit.goto(`/oauth/consent?session=${session}`);
        await visit.page.getByText("Request not found").waitFor();
      }
      await visit.close();
    });

    test("warns of a private-use URI scheme", async () => {
      const visit = await harness().visit({ owner: await harness().makeOwner(), screen: "phone" });
      const { session } = await ask(harness(), visit, "cursor://anysphere.cursor-mcp/oauth/callback");
      await visit.goto(`/oauth/consent?session=${session}`);
      await visit.page.getByText("Returns to an app on this device").waitFor();
      expect(await visit.axe()).toEqual([]);
      await visit.close();
    });

    test.each(["javascript:document.title='owned'", "https://elsewhere.example/callback?code=1"])(
      "redirects only to the registered address: %s",
      async (redirectUrl) => {
        const visit = await harness().visit({ owner: await harness().makeOwner() });
        const listener = await listen();
        const { session } = await ask(harness(), visit, listener.redirectUri);
        await visit.page.route("**/api/oauth/approve", (route) => route.fulfill({ json: { redirectUrl } }));
        await visit.goto(`/oauth/consent?session=${session}`);
        await answer(visit, "Allow").click();
        await visit.page.getByText("We didn’t send you back").waitFor();
        expect(new URL(visit.page.url()).origin).toBe(visit.url);
        expect(await visit.page.title()).not.toBe("owned");
        await Promise.all([visit.close(), listener.close()]);
      },
    );

    test("says that the request expired when it was answered elsewhere", async () => {
      const owner = await harness().makeOwner();
      const visit = await harness().visit({ owner });
      const listener = await listen();
      const { session } = await ask(harness(), visit, listener.redirectUri);
      await visit.goto(`/oauth/consent?session=${session}`);
      await answer(visit, "Allow").waitFor();
      await owner.client.request("/oauth/deny", { method: "POST", body: { sessionId: session } });
      await answer(visit, "Allow").click();
      await visit.page.getByText("Request expired").waitFor();
      expect(listener.heard).toEqual([]);
      await Promise.all([visit.close(), listener.close()]);
    });
  });
};
