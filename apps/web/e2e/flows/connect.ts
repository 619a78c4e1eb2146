import { createHash, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { press } from "../hands.ts";
import { sights, type Harness } from "../harness.ts";

/** A user agent with markup and a soft hyphen. */
const hostile = `<img src=x onerror="document.title='owned'"> \u00ADagent/1.0`;

type Begun = { readonly code: string; readonly poll: () => Promise<Response> };

/** Starts a connection, as an agent does. */
async function begin(harness: Harness, userAgent = "an agent/1.0"): Promise<Begun> {
  const { api } = harness.stack.urls;
  const verifier = randomBytes(32).toString("base64url");
  const codeChallenge = createHash("sha256").update(verifier).digest("base64url");
  const answer = await fetch(`${api}/auth/connect/initiate`, {
    method: "POST",
    headers: { "content-type": "application/json", "user-agent": userAgent },
    body: JSON.stringify({ codeChallenge }),
  });
  const { code } = (await answer.json()) as { code: string };
  return {
    code,
    poll: () =>
      fetch(`${api}/auth/connect/status?code=${code}`, { headers: { "x-connect-verifier": verifier } }),
  };
}

const isPending = async ({ poll }: Begun): Promise<boolean> =>
  ((await (await poll()).json()) as { status?: string }).status === "pending";

export const connectFlows = (harness: () => Harness): void => {
  describe("connecting an agent", () => {
    test.each(sights)(
      "gives the agent its key after a comparison, a tick and a press: $screen, $scheme",
      async (sight) => {
        const begun = await begin(harness(), hostile);
        const owner = await harness().makeOwner();
        const visit = await harness().visit({ owner, ...sight });
        const { page } = visit;
        await visit.goto(`/connect?code=${begun.code}`);
        await page.getByText(begun.code.slice(0, 4), { exact: true }).waitFor();
        expect(await page.getByText('<img src=x onerror="document.title=').count()).toBe(1);
        expect(await page.locator("body").textContent()).not.toContain("\u00AD");
        expect(await page.getByText("It can never approve for you").count()).toBe(1);
        const yes = page.getByRole("button", { name: "Connect agent" });
        const tick = page.getByRole("checkbox");
        expect([await tick.isChecked(), await yes.isDisabled()]).toEqual([false, true]);
        expect(await visit.axe()).toEqual([]);
        expect(await isPending(begun)).toBe(true);
        await press(visit, tick);
        await press(visit, yes);
        await page.getByText("The agent can now get its key").waitFor();
        const given = (await (await begun.poll()).json()) as { apiKey: string; walletAddress: string };
        expect(given.walletAddress).toBe(owner.account.address);
        const self = await fetch(`${harness().stack.urls.api}/user-api-keys/self`, {
          headers: { "x-api-key": given.apiKey },
        });
        expect(self.status).toBe(200);
        expect(await page.title()).toBe("Connect an agent · Countersign");
        expect(visit.complaints).toEqual([]);
        await visit.close();
      },
    );

    test("sends nothing when the owner declines", async () => {
      const begun = await begin(harness());
      const visit = await harness().visit({ owner: await harness().makeOwner(), screen: "phone" });
      const sent: string[] = [];
      visit.page.on("request", (request) => {
        if (request.method() !== "GET") sent.push(request.url());
      });
      await visit.goto(`/connect?code=${begun.code}`);
      await visit.page.getByRole("button", { name: "Don’t connect" }).click();
      await visit.page.getByText("No key was created.").waitFor();
      expect(sent).toEqual([]);
      expect(await isPending(begun)).toBe(true);
      await visit.close();
    });

    test("says so when the code is missing, unknown, used or already approved", async () => {
      const owner = await harness().makeOwner();
      const visit = await harness().visit({ owner });
      await visit.goto("/connect");
      await visit.page.getByText("The link has no code").waitFor();
      await visit.goto(`/connect?code=${"0".repeat(32)}`);
      await visit.page.getByText("Code not found").waitFor();
      const begun = await begin(harness());
      await owner.client.connections.approve(begun.code);
      await visit.goto(`/connect?code=${begun.code}`);
      await visit.page.getByText("This code was already approved").waitFor();
      expect(await visit.axe()).toEqual([]);
      await begun.poll();
      await visit.goto(`/connect?code=${begun.code}`);
      await visit.page.getByText("Code expired").waitFor();
      expect(await visit.page.getByRole("button", { name: "Connect agent" }).count()).toBe(0);
      await visit.close();
    });

    test("shows the service's state when the answer to an approval is lost", async () => {
      const begun = await begin(harness());
      const visit = await harness().visit({ owner: await harness().makeOwner() });
      await visit.page.route("**/api/auth/connect/approve", async (route) => {
        await route.fetch();
        await route.abort();
      });
      await visit.goto(`/connect?code=${begun.code}`);
      await visit.page.getByRole("checkbox").click();
      await visit.page.getByRole("button", { name: "Connect agent" }).click();
      await visit.page.getByText("This code was already approved").waitFor();
      await visit.close();
    });

    test("reports a rate limit and stays on the page", async () => {
      const begun = await begin(harness());
      const visit = await harness().visit({ owner: await harness().makeOwner() });
      await visit.page.route("**/api/auth/connect/approve", (route) =>
        route.fulfill({
          status: 429,
          json: { statusCode: 429, message: "Too many requests", error: "Too Many Requests" },
        }),
      );
      await visit.goto(`/connect?code=${begun.code}`);
      await visit.page.getByRole("checkbox").click();
      await visit.page.getByRole("button", { name: "Connect agent" }).click();
      await visit.page.getByText("Too many requests. Wait a minute").waitFor();
      await visit.page.getByText("Couldn’t connect the agent").waitFor();
      expect(await isPending(begun)).toBe(true);
      await visit.close();
    });
  });
};
