import { describe, expect, test } from "vitest";
import { press, write } from "../hands.ts";
import { sights, type Harness } from "../harness.ts";
import { begin, button, heading, makeScene, payment, textToSign, undecided } from "./proposals.ts";

const ready = "Approved. Send it with your wallet.";

export const decideFlows = (harness: () => Harness): void => {
  describe("deciding", () => {
    test.each(sights)("approves with a signature over the text shown: $screen, $scheme", async (sight) => {
      const { owner, agent } = await makeScene(harness());
      const requestHash = await payment(agent);
      const visit = await harness().visit({ owner, ...sight });
      const { page } = visit;
      await visit.goto(`/transactions/${requestHash}`);
      await begin(visit, "Approve");
      const text = await textToSign(visit);
      expect(text).toContain(`target: /transactions/${requestHash}/approvals?decision=APPROVED`);
      expect(await page.getByRole("list", { name: "What it does" }).innerText()).toMatch(
        /Send 0\.01 ETH to\s+0x742d35…38f44e\s+on Sepolia/,
      );
      expect(await visit.axe()).toEqual([]);
      await press(visit, button(page, "Continue in wallet"));
      await page.getByText("Recorded at").waitFor();
      await press(visit, button(page, "Close"));
      await heading(page, ready).waitFor();
      await page.getByText("by wallet signature").first().waitFor();
      const [signed] = visit.wallet.asked.filter(({ method }) => method === "personal_sign");
      expect(Buffer.from(String(signed?.params?.[0]).slice(2), "hex").toString()).toBe(text);
      const record = await owner.client.transaction(requestHash);
      expect(record).toMatchObject({
        status: "APPROVED",
        approvals: { user: [{ type: "user", decision: "APPROVED" }] },
      });
      expect(await visit.axe()).toEqual([]);
      expect(visit.complaints).toEqual([]);
      await visit.close();
    });

    test("says why a repeated payment needs the owner, with a link to the earlier one", async () => {
      const { owner, agent } = await makeScene(harness());
      await owner.client.updateSettings({ executionType: 2 });
      const first = await payment(agent);
      await agent.client.waitForStatus(first, ["APPROVED"]);
      const second = await payment(agent);
      const visit = await harness().visit({ owner });
      const { page } = visit;
      await visit.goto(`/transactions/${second}`);
      await page.getByText("Needs you because").waitFor();
      await page.getByText("This repeats a payment approved").waitFor();
      expect(await visit.axe()).toEqual([]);
      await press(visit, page.getByRole("link", { name: "See the earlier payment" }));
      await page.waitForURL(`**/transactions/${first}`);
      expect(visit.complaints).toEqual([]);
      await visit.close();
    });

    test("rejects with one press and a signature, and cancels an approval", async () => {
      const { owner, agent } = await makeScene(harness());
      const [first, second] = [await payment(agent), await payment(agent, "0.02")];
      await owner.client.approve(second);
      const visit = await harness().visit({ owner });
      await visit.goto(`/transactions/${first}`);
      await begin(visit, "Reject");
      await visit.page.getByText("Recorded at").waitFor();
      await button(visit.page, "Close").click();
      await heading(visit.page, "You rejected this").waitFor();
      expect(await button(visit.page, "Approve").count()).toBe(0);
      await visit.goto(`/transactions/${second}`);
      await heading(visit.page, ready).waitFor();
      await begin(visit, "Cancel approval");
      await visit.page.getByText("Recorded at").waitFor();
      expect(await owner.client.transaction(first)).toMatchObject({ status: "REJECTED", reason: "USER" });
      expect(await owner.client.transaction(second)).toMatchObject({ status: "REJECTED", reason: "USER" });
      await visit.close();
    });

    test.each(sights)("rejects with a reason that the agent reads: $screen, $scheme", async (sight) => {
      const { owner, agent } = await makeScene(harness());
      const requestHash = await payment(agent);
      const visit = await harness().visit({ owner, ...sight });
      const { page } = visit;
      await visit.goto(`/transactions/${requestHash}`);
      await press(visit, button(page, "Reject with a reason"));
      const dialog = page.getByRole("dialog");
      await write(visit, dialog.getByLabel("Tell the agent why (optional)"), "Wrong invoice");
      expect(await visit.axe()).toEqual([]);
      await press(visit, dialog.getByRole("button", { name: "Reject", exact: true }));
      await heading(page, "You rejected this").waitFor();
      expect((await agent.client.transaction(requestHash)).approvals.user[0]?.reason).toBe("Wrong invoice");
      expect(visit.complaints).toEqual([]);
      await visit.close();
    });

    test("decides nothing when the owner declines in the wallet", async () => {
      const { owner, agent } = await makeScene(harness());
      const requestHash = await payment(agent);
      const visit = await harness().visit({ owner });
      await visit.goto(`/transactions/${requestHash}`);
      await begin(visit, "Approve");
      visit.wallet.refuse = true;
      await button(visit.page, "Continue in wallet").click();
      await visit.page.getByText("You declined in your wallet. Nothing was sent.").waitFor();
      await heading(visit.page, "Needs your decision").waitFor();
      expect((await owner.client.transaction(requestHash)).approvals.user).toEqual([]);
      await visit.close();
    });

    test("asks for an acknowledgement where it could not be verified", async () => {
      const { owner, agent } = await makeScene(harness());
      const requestHash = await undecided(owner, agent);
      const visit = await harness().visit({ owner, screen: "phone" });
      const { page } = visit;
      await visit.goto(`/transactions/${requestHash}`);
      await heading(page, "Could not be verified: your decision").waitFor();
      await page.getByText("Encrypted by the agent", { exact: true }).waitFor();
      await begin(visit, "Approve");
      expect(await button(page, "Continue in wallet").isDisabled()).toBe(true);
      await page.getByRole("checkbox", { name: /I understand that this hasn’t been verified/ }).click();
      expect(await visit.axe()).toEqual([]);
      await button(page, "Continue in wallet").click();
      await page.getByText("Recorded at").waitFor();
      expect((await owner.client.transaction(requestHash)).status).toBe("APPROVED");
      await visit.close();
    });

    test("says which wallet is needed when another one is connected", async () => {
      const { owner, agent } = await makeScene(harness());
      const requestHash = await payment(agent);
      const signedIn = await harness().visit({ owner });
      const other = await harness().makeOwner();
      const visit = await harness().visit({ owner: other, isSignedIn: false });
      await visit.context.addCookies(await signedIn.context.cookies());
      await visit.goto(`/transactions/${requestHash}`);
      await button(visit.page, "Approve").click();
      await button(visit.page, "Connect Test Wallet").click();
      await visit.page.getByText("Wrong account in your wallet").waitFor();
      expect(await button(visit.page, "Continue in wallet").isDisabled()).toBe(true);
      await visit.close();
      await signedIn.close();
    });

    test("shows a proposal while it is being checked, labelled as such", async () => {
      const { owner, agent } = await makeScene(harness());
      const requestHash = await payment(agent);
      const visit = await harness().visit({ owner });
      // The record as it was before the verdict.
      await visit.context.route(`**/api/transactions/${requestHash}`, async (route) => {
        const answer = await route.fetch();
        const record = (await answer.json()) as Record<string, unknown>;
        await route.fulfill({
          json: { ...record, phase: "REGISTERED", approvals: { user: [], orion: [], apiKey: [] } },
        });
      });
      await visit.goto(`/transactions/${requestHash}`);
      await heading(visit.page, "Checking").first().waitFor();
      expect(await button(visit.page, "Approve").count()).toBe(0);
      await button(visit.page, "Reject").waitFor();
      await openWalletIsNotAsked(visit.wallet.asked);
      await visit.close();
    });
  });
};

/** Opening a page must not prompt the wallet. */
async function openWalletIsNotAsked(asked: readonly { readonly method: string }[]): Promise<void> {
  expect(
    asked.filter(({ method }) => method === "personal_sign" || method === "eth_requestAccounts"),
  ).toEqual([]);
}
