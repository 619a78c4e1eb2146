import { createWalletClient, http } from "viem";
import { sepolia } from "viem/chains";
import { signMandate, signPolicy } from "@countersign/sdk/viem";
import type { Locator } from "playwright-core";
import { describe, expect, test, vi } from "vitest";
import { press, write } from "../hands.ts";
import { sights, type Agent, type Harness, type Owner, type Visit } from "../harness.ts";
import { alice, button, heading, makeScene, openWallet, payment, theft, type Scene } from "./proposals.ts";

const eth = "eip155:11155111/slip44:60";
const day = 86_400;

type MyAgent = Scene & { readonly id: string; readonly path: string };

async function anAgent(harness: Harness): Promise<MyAgent> {
  const scene = await makeScene(harness);
  const [key] = await scene.owner.client.keys.list();
  const id = key?.id ?? "";
  return { ...scene, id, path: `/agents/key/${id}` };
}

const aDraft = ({ id }: Pick<MyAgent, "id">, most = "0.05") => ({
  ...{ agent: `key:${id}`, purpose: "Coffee", acts: ["transfer" as const], assets: [eth] },
  recipients: [`eip155:11155111:${alice}`],
  limits: [{ measure: eth, span: "period" as const, seconds: day, most, decimals: 18 }],
  validUntil: Math.floor(Date.now() / 1000) + 30 * day,
});

async function grant(mine: MyAgent, most?: string): Promise<string> {
  const { client, account } = mine.owner;
  const { terms } = await client.mandates.draft(aDraft(mine, most));
  const signature = await signMandate({ wallet: account, terms });
  return (await client.mandates.grant({ terms, signature })).id;
}

/** Sends an approved payment from the owner's wallet and waits until it is final. */
async function execute(harness: Harness, { client, account }: Owner, agent: Agent): Promise<void> {
  const requestHash = await payment(agent);
  await client.approve(requestHash);
  await client.waitForStatus(requestHash, ["APPROVED"]);
  const wallet = createWalletClient({ account, chain: sepolia, transport: http(harness.stack.urls.anvil) });
  await wallet.sendTransaction({ to: alice, value: 10n ** 16n });
  await client.waitForStatus(requestHash, ["EXECUTED"], { timeoutMs: 120_000 });
}

const dialogOf = ({ page }: Visit): Locator => page.getByRole("dialog");
const inDialog = (visit: Visit, name: string): Locator =>
  dialogOf(visit).getByRole("button", { name, exact: true });

export const myAgentFlows = (harness: () => Harness): void => {
  describe("the owner's agents", () => {
    test.each(sights)("lists agents with results, limits and status: $screen, $scheme", async (sight) => {
      const mine = await anAgent(harness());
      await payment(mine.agent);
      await theft(mine.agent);
      await grant(mine);
      await mine.owner.client.updateSettings({ executionType: 2 });
      const visit = await harness().visit({ owner: mine.owner, ...sight });
      const { page } = visit;
      await visit.goto("/transactions");
      await press(visit, page.getByRole("link", { name: "Agents", exact: true }));
      await heading(page, "Agents").waitFor();
      await page.getByText("1 matches, 1 differs").waitFor();
      await page.getByText("0.05 ETH left of 0.05 ETH").waitFor();
      await page.getByText("Pays on its own").waitFor();
      expect(await visit.axe()).toEqual([]);
      await press(visit, page.getByRole("link", { name: "an agent", exact: true }));
      await heading(page, "an agent").waitFor();
      expect(visit.complaints).toEqual([]);
      await visit.close();
    });

    test.each(sights)(
      "shows what an agent spent, as a chart and as a table: $screen, $scheme",
      async (sight) => {
        const mine = await anAgent(harness());
        await execute(harness(), mine.owner, mine.agent);
        const visit = await harness().visit({ owner: mine.owner, ...sight });
        const { page } = visit;
        await visit.goto(mine.path);
        await page.getByText("ETH on Sepolia in 30 days, 1 transaction").waitFor();
        await page.getByRole("img", { name: "Spend per day in ETH on Sepolia: 0.01 on 1 day." }).waitFor();
        await press(visit, button(page, "7 days"));
        await page.getByText("ETH on Sepolia in 7 days, 1 transaction").waitFor();
        await press(visit, button(page, "Show as table"));
        await page.getByRole("columnheader", { name: "Approved by you" }).waitFor();
        await page.getByRole("cell", { name: "0.01" }).waitFor();
        await page.getByText("1 proposal in 7 days").waitFor();
        await page.getByRole("link", { name: "Send 0.01 ETH to 0x742d35…38f44e" }).waitFor();
        expect(await visit.axe()).toEqual([]);
        expect(visit.complaints).toEqual([]);
        await visit.close();
      },
    );

    test.each(sights)(
      "pauses an agent after a confirmation, and resumes it: $screen, $scheme",
      async (sight) => {
        const { owner, agent, path } = await anAgent(harness());
        const visit = await harness().visit({ owner, ...sight });
        const { page } = visit;
        await visit.goto(path);
        await press(visit, button(page, "Pause"));
        await dialogOf(visit).getByText("can’t propose until you resume it").waitFor();
        expect(await visit.axe()).toEqual([]);
        await press(visit, inDialog(visit, "Pause agent"));
        await button(page, "Resume").waitFor();
        await page.getByText("Paused", { exact: true }).waitFor();
        await expect(payment(agent)).rejects.toThrow("The owner has paused this agent");
        expect(await visit.axe()).toEqual([]);
        await press(visit, button(page, "Resume"));
        await button(page, "Pause").waitFor();
        await payment(agent);
        expect(visit.complaints).toEqual([]);
        await visit.close();
      },
    );

    test("removes an agent at once, after a confirmation", async () => {
      const { owner, agent, path } = await anAgent(harness());
      const visit = await harness().visit({ owner });
      const { page } = visit;
      await visit.goto(path);
      await press(visit, button(page, "Remove agent"));
      await press(visit, inDialog(visit, "Remove agent"));
      await page.getByText("Removed", { exact: true }).waitFor();
      await expect(payment(agent)).rejects.toThrow();
      await visit.goto("/agents");
      await press(visit, button(page, "1 removed or expired agent"));
      await page.getByRole("link", { name: "an agent", exact: true }).waitFor();
      await visit.close();
    });

    test("says that an agent pays without a limit if nothing limits it", async () => {
      const { owner, path } = await anAgent(harness());
      await owner.client.updateSettings({ executionType: 2 });
      const visit = await harness().visit({ owner, screen: "phone" });
      await visit.goto(path);
      await visit.page.getByText("Pays without a limit").waitFor();
      await visit.page.getByText("Proposals that match are approved without a limit.").waitFor();
      await visit.close();
    });

    test("reports an agent of another account as not found", async () => {
      const [mine, other] = [await anAgent(harness()), await anAgent(harness())];
      const visit = await harness().visit({ owner: mine.owner });
      await visit.goto(other.path);
      await visit.page.getByText("Agent not found").waitFor();
      await visit.close();
    });
  });

  describe("mandates", () => {
    test.each(sights)("has the wallet sign a mandate, which then counts: $screen, $scheme", async (sight) => {
      const { owner, agent, path } = await anAgent(harness());
      await owner.client.updateSettings({ executionType: 2 });
      const visit = await harness().visit({ owner, ...sight });
      const { page } = visit;
      await visit.goto(path);
      await press(visit, page.getByRole("link", { name: "New mandate" }));
      await heading(page, "Mandate for an agent").waitFor();
      await press(visit, button(page, "Review and sign"));
      await page.getByText("Enter an amount above 0.").waitFor();
      expect(await visit.axe()).toEqual([]);
      await page.getByLabel("Asset").selectOption({ label: "ETH on Sepolia" });
      await write(visit, page.getByLabel("Most per payment, optional"), "0.02");
      await write(visit, page.getByLabel("Most per period"), "0.05");
      await write(visit, page.getByLabel("To these addresses"), alice);
      await write(visit, page.getByLabel("What for"), "Coffee");
      await page.getByText("0.05 ETH in any day, only to 1 address").waitFor();
      await press(visit, button(page, "Review and sign"));
      await dialogOf(visit).getByText("The most you can lose if this agent is taken over").waitFor();
      await openWallet(visit, "Sign mandate");
      expect(await visit.axe()).toEqual([]);
      await press(visit, inDialog(visit, "Sign mandate"));
      await heading(page, "an agent").waitFor();
      await page.getByText("0.05 ETH left of 0.05 ETH").waitFor();
      const [asked] = visit.wallet.asked.filter(({ method }) => method === "eth_signTypedData_v4");
      const typedData = JSON.parse(String(asked?.params?.[1])) as {
        readonly primaryType: string;
        readonly message: Record<string, unknown>;
      };
      expect(typedData.primaryType).toBe("Mandate");
      expect(typedData.message).toMatchObject({
        purpose: "Coffee",
        assets: [eth],
        recipients: [`eip155:11155111:${alice.toLowerCase()}`],
      });
      const paid = await payment(agent);
      await owner.client.waitForStatus(paid, ["APPROVED"]);
      await visit.goto(`/transactions/${paid}`);
      await page.getByText("Approved by your mandate, without asking you.").waitFor();
      await visit.goto(path);
      await page.getByText("0.04 ETH left of 0.05 ETH").waitFor();
      const more = await payment(agent, "0.03");
      await vi.waitFor(async () => {
        expect((await owner.client.transaction(more)).phase).toBe("AWAITING");
      });
      await visit.goto(`/transactions/${more}`);
      await page.getByText("Needs you because").waitFor();
      await page.getByText("This exceeds the mandate's limit per transaction: 0.02 of 0.02 left").waitFor();
      await press(visit, page.getByRole("link", { name: "See the agent’s limits" }));
      await heading(page, "an agent").waitFor();
      expect(visit.complaints).toEqual([]);
      await visit.close();
    });

    test.each(sights)(
      "shows what a draft would have done before it is signed: $screen, $scheme",
      async (sight) => {
        const mine = await anAgent(harness());
        for (const amount of ["0.01", "0.012", "0.03"]) await payment(mine.agent, amount);
        const first = await grant(mine, "0.011");
        const visit = await harness().visit({ owner: mine.owner, ...sight });
        const { page } = visit;
        await visit.goto(`${mine.path}/mandate?replaces=${first}`);
        const preview = page.getByRole("region", { name: "The last 30 days with this mandate" });
        await preview.getByText("Of 3 matching proposals, this mandate would have:").waitFor();
        await preview.getByText("The present mandate: 1 approved, 2 asked you. Nothing changes.").waitFor();
        await preview.getByText("0.01 of 0.011 ETH").waitFor();
        await write(visit, page.getByLabel("Most per period"), "0.05");
        await write(visit, page.getByLabel("Most per payment, optional"), "0.02");
        await preview.getByText("1 outcome would change.").waitFor();
        await preview.getByText("0.022 ETH").waitFor();
        await preview.getByText("0.022 of 0.05 ETH").waitFor();
        await preview.getByText("0.012 of 0.02 ETH").waitFor();
        await preview
          .getByText("This exceeds the mandate's limit per transaction: 0.02 of 0.02 left")
          .waitFor();
        await preview.getByRole("img", { name: "Per day: 2 approved, 1 asked you, on 1 day." }).waitFor();
        expect(await visit.axe()).toEqual([]);
        await write(visit, page.getByLabel("Most per period"), "");
        await preview.getByText("Enter a limit and whom it may pay.").waitFor();
        await write(visit, page.getByLabel("Most per period"), "0.02");
        await press(visit, button(page, "Review and sign"));
        await dialogOf(visit)
          .getByText("it would have approved 1 of 3 matching proposals and asked you about 2.")
          .waitFor();
        expect(await visit.axe()).toEqual([]);
        expect(visit.complaints).toEqual([]);
        await visit.close();
      },
    );

    test.each(sights)("says what the owner’s policy decided: $screen, $scheme", async (sight) => {
      const { owner, agent } = await anAgent(harness());
      const text = `@id("ask")\n@outcome("ask")\n@reason("I am away")\nforbid (principal, action, resource);`;
      const { terms } = await owner.client.policies.draft({ text });
      const signature = await signPolicy({ wallet: owner.account, terms });
      await owner.client.policies.set({ terms, signature });
      await owner.client.updateSettings({ executionType: 2 });
      const asked = await payment(agent);
      const visit = await harness().visit({ owner, ...sight });
      const { page } = visit;
      await visit.goto(`/transactions/${asked}`);
      await page.getByText("Needs you because").waitFor();
      await page.getByText("Your policy (version 1) asks you: I am away.").waitFor();
      expect(await visit.axe()).toEqual([]);
      expect(visit.complaints).toEqual([]);
      await visit.close();
    });

    test("says if there is nothing to compare with, and signs without a preview", async () => {
      const mine = await anAgent(harness());
      await mine.agent.client.mandates.ask(aDraft(mine));
      const visit = await harness().visit({ owner: mine.owner });
      const { page } = visit;
      await visit.goto(mine.path);
      await press(visit, page.getByRole("link", { name: "Review" }));
      await page.getByText("This agent had no matching proposals in the last 30 days").waitFor();
      await page.route("**/api/mandates/preview", (route) => route.abort());
      await page.reload();
      await page.getByText("Couldn’t load the preview").waitFor();
      await press(visit, button(page, "Review and sign"));
      await openWallet(visit, "Sign mandate");
      await press(visit, inDialog(visit, "Sign mandate"));
      await page.getByText("0.05 ETH left of 0.05 ETH").waitFor();
      await visit.close();
    });

    test.each(sights)("grants or declines what an agent asks for: $screen, $scheme", async (sight) => {
      const mine = await anAgent(harness());
      await mine.agent.client.mandates.ask(aDraft(mine));
      await mine.agent.client.mandates.ask({ ...aDraft(mine, "9"), purpose: "<b>Tea</b>" });
      const visit = await harness().visit({ owner: mine.owner, ...sight });
      const { page } = visit;
      await visit.goto("/agents");
      await page.getByText("an agent asks for a mandate").first().waitFor();
      await page.getByText("<b>Tea</b>").waitFor();
      expect(await visit.axe()).toEqual([]);
      const requests = page.getByRole("link", { name: "Review" });
      await press(visit, requests.first());
      await page.getByText("9 ETH a day", { exact: true }).waitFor();
      await press(visit, button(page, "Decline"));
      await heading(page, "an agent").waitFor();
      await vi.waitFor(async () => {
        expect(await mine.owner.client.mandates.requests()).toHaveLength(1);
        // The page asks again a moment after the service has answered.
        expect(await requests.count()).toBe(1);
      });
      await press(visit, requests);
      await page.getByText("0.05 ETH a day", { exact: true }).waitFor();
      await press(visit, button(page, "Review and sign"));
      await openWallet(visit, "Sign mandate");
      await press(visit, inDialog(visit, "Sign mandate"));
      await page.getByText("0.05 ETH left of 0.05 ETH").waitFor();
      await vi.waitFor(async () => {
        expect(await requests.count()).toBe(0);
      });
      expect(await mine.owner.client.mandates.requests()).toEqual([]);
      expect(visit.complaints).toEqual([]);
      await visit.close();
    });

    test("changes a mandate in one step, then ends it", async () => {
      const mine = await anAgent(harness());
      const { owner, path } = mine;
      const first = await grant(mine);
      const visit = await harness().visit({ owner });
      const { page } = visit;
      await visit.goto(path);
      await press(visit, page.getByRole("link", { name: "Change", exact: true }));
      const most = page.getByLabel("Most per period");
      await most.waitFor();
      expect(await most.inputValue()).toBe("0.05");
      await write(visit, most, "0.01");
      await press(visit, button(page, "Review and sign"));
      await openWallet(visit, "Sign mandate");
      await press(visit, inDialog(visit, "Sign mandate"));
      await page.getByText("0.01 ETH left of 0.01 ETH").waitFor();
      expect((await owner.client.mandates.get(first)).status).toBe("REVOKED");
      await press(visit, button(page, "End mandate"));
      expect(await visit.axe()).toEqual([]);
      await press(visit, inDialog(visit, "End mandate"));
      await page.getByText("No mandate. It asks you every time.").waitFor();
      expect((await owner.client.mandates.list()).map(({ status }) => status)).toEqual([
        "REVOKED",
        "REVOKED",
      ]);
      await visit.close();
    });

    test("signs nothing if the service changes the terms, or the owner declines in the wallet", async () => {
      const mine = await anAgent(harness());
      await mine.agent.client.mandates.ask(aDraft(mine));
      const visit = await harness().visit({ owner: mine.owner });
      const { page } = visit;
      await page.route("**/api/mandates/draft", async (route) => {
        const answer = await route.fetch();
        const body = (await answer.json()) as { terms: { limits: { most: string }[] } };
        for (const limit of body.terms.limits) limit.most = "1000";
        await route.fulfill({ response: answer, json: body });
      });
      await visit.goto(mine.path);
      await press(visit, page.getByRole("link", { name: "Review" }));
      await press(visit, button(page, "Review and sign"));
      await openWallet(visit, "Sign mandate");
      await press(visit, inDialog(visit, "Sign mandate"));
      await page.getByText("The service changed the terms. Nothing was signed.").waitFor();
      await page.unroute("**/api/mandates/draft");
      visit.wallet.refuse = true;
      await press(visit, inDialog(visit, "Sign mandate"));
      await page.getByText("You declined in your wallet").waitFor();
      expect(await mine.owner.client.mandates.list()).toEqual([]);
      await visit.close();
    });
  });
};
