import { createHash, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { press } from "../hands.ts";
import { sights, type Harness } from "../harness.ts";

/** What an agent may say of itself in a header: markup, and a hyphen that does not show. */
const hostile = `<img src=x onerror="document.title='owned'"> \u00ADagent/1.0`;

type Begun = { readonly code: string; readonly poll: () => Promise<Response> };

/** An agent that begins, as agents do. */
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
      "takes a comparison, a tick and a press, and gives the agent its key: $screen, $scheme",
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
        const yes = page.getByRole("button", { name: "Connect this agent" });
        const tick = page.getByRole("checkbox");
        expect([await tick.isChecked(), await yes.isDisabled()]).toEqual([false, true]);
        expect(await visit.axe()).toEqual([]);
        expect(await isPending(begun)).toBe(true);
        await press(visit, tick);
        await press(visit, yes);
        await page.getByText("The agent fetches its key by itself").waitFor();
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

    test("sends nothing when the person leaves it", async () => {
      const begun = await begin(harness());
      const visit = await harness().visit({ owner: await harness().makeOwner(), screen: "phone" });
      const sent: string[] = [];
      visit.page.on("request", (request) => {
        if (request.method() !== "GET") sent.push(request.url());
      });
      await visit.goto(`/connect?code=${begun.code}`);
      await visit.page.getByRole("button", { name: "No, leave it" }).click();
      await visit.page.getByText("Nothing was sent.").waitFor();
      expect(sent).toEqual([]);
      expect(await isPending(begun)).toBe(true);
      await visit.close();
    });

    test("says so when there is no code, when it is not known, when it is used, and when somebody has approved it", async () => {
      const owner = await harness().makeOwner();
      const visit = await harness().visit({ owner });
      await visit.goto("/connect");
      await visit.page.getByText("There is no code in the address").waitFor();
      await visit.goto(`/connect?code=${"0".repeat(32)}`);
      await visit.page.getByText("This code is not known").waitFor();
      const begun = await begin(harness());
      await owner.client.connections.approve(begun.code);
      await visit.goto(`/connect?code=${begun.code}`);
      await visit.page.getByText("This code was already approved").waitFor();
      expect(await visit.axe()).toEqual([]);
      await begun.poll();
      await visit.goto(`/connect?code=${begun.code}`);
      await visit.page.getByText("This code is over").waitFor();
      expect(await visit.page.getByRole("button", { name: "Connect this agent" }).count()).toBe(0);
      await visit.close();
    });

    test("shows what the service has, when its answer to the yes is lost", async () => {
      const begun = await begin(harness());
      const visit = await harness().visit({ owner: await harness().makeOwner() });
      await visit.page.route("**/api/auth/connect/approve", async (route) => {
        await route.fetch();
        await route.abort();
      });
      await visit.goto(`/connect?code=${begun.code}`);
      await visit.page.getByRole("checkbox").click();
      await visit.page.getByRole("button", { name: "Connect this agent" }).click();
      await visit.page.getByText("This code was already approved").waitFor();
      await visit.close();
    });

    test("says that there were too many requests, and stays where it is", async () => {
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
      await visit.page.getByRole("button", { name: "Connect this agent" }).click();
      await visit.page.getByText("Too many requests from here").waitFor();
      await visit.page.getByText("The agent is not connected").waitFor();
      expect(await isPending(begun)).toBe(true);
      await visit.close();
    });
  });
};
