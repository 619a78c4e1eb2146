import { describe, expect, test } from "vitest";
import { press } from "../hands.ts";
import { sights, type Harness } from "../harness.ts";
import { begin, button, heading, makeScene, payment, undecided } from "./proposals.ts";

const ready = "Approved: your wallet has yet to send it";

export const decideFlows = (harness: () => Harness): void => {
  describe("deciding", () => {
    test.each(sights)("approves by a signature over what was shown: $screen, $scheme", async (sight) => {
      const { owner, agent } = await makeScene(harness());
      const requestHash = await payment(agent);
      const visit = await harness().visit({ owner, ...sight });
      const { page } = visit;
      await visit.goto(`/transactions/${requestHash}`);
      await begin(visit, "Approve");
      const text = (await page.getByLabel("The text to sign").textContent()) ?? "";
      expect(text).toContain(`target: /transactions/${requestHash}/approvals?decision=APPROVED`);
      expect(await visit.axe()).toEqual([]);
      await press(visit, button(page, "Sign and approve"));
      await page.getByText("Recorded: you approved this.").waitFor();
      await press(visit, button(page, "Close"));
      await heading(page, ready).waitFor();
      await page.getByText("by a signature of your wallet").waitFor();
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

    test("rejects with one press and a signature, and takes an approval back", async () => {
      const { owner, agent } = await makeScene(harness());
      const [first, second] = [await payment(agent), await payment(agent, "0.02")];
      await owner.client.approve(second);
      const visit = await harness().visit({ owner });
      await visit.goto(`/transactions/${first}`);
      await begin(visit, "Reject");
      await visit.page.getByText("Recorded: you rejected this.").waitFor();
      await button(visit.page, "Close").click();
      await heading(visit.page, "You rejected it").waitFor();
      expect(await button(visit.page, "Approve").count()).toBe(0);
      await visit.goto(`/transactions/${second}`);
      await heading(visit.page, ready).waitFor();
      await begin(visit, "Take it back");
      await visit.page.getByText("Recorded: you rejected this.").waitFor();
      expect(await owner.client.transaction(first)).toMatchObject({ status: "REJECTED", reason: "USER" });
      expect(await owner.client.transaction(second)).toMatchObject({ status: "REJECTED", reason: "USER" });
      await visit.close();
    });

    test("decides nothing when the person refuses in the wallet", async () => {
      const { owner, agent } = await makeScene(harness());
      const requestHash = await payment(agent);
      const visit = await harness().visit({ owner });
      await visit.goto(`/transactions/${requestHash}`);
      await begin(visit, "Approve");
      visit.wallet.refuse = true;
      await button(visit.page, "Sign and approve").click();
      await visit.page.getByText("You refused in your wallet. Nothing was sent.").waitFor();
      await heading(visit.page, "Your decision is needed").waitFor();
      expect((await owner.client.transaction(requestHash)).approvals.user).toEqual([]);
      await visit.close();
    });

    test("asks for an acknowledgement where it could not be verified", async () => {
      const { owner, agent } = await makeScene(harness());
      const requestHash = await undecided(owner, agent);
      const visit = await harness().visit({ owner, screen: "phone" });
      const { page } = visit;
      await visit.goto(`/transactions/${requestHash}`);
      await heading(page, /the arbiter could not help/).waitFor();
      await page.getByText("Sealed by its sender").waitFor();
      await begin(visit, "Approve");
      await page.getByLabel("The text to sign").waitFor();
      expect(await button(page, "Sign and approve").isDisabled()).toBe(true);
      await page.getByRole("checkbox", { name: /I understand that this could not be verified/ }).click();
      expect(await visit.axe()).toEqual([]);
      await button(page, "Sign and approve").click();
      await page.getByText("Recorded: you approved this.").waitFor();
      expect((await owner.client.transaction(requestHash)).status).toBe("APPROVED");
      await visit.close();
    });

    test("says which wallet is needed when another is open", async () => {
      const { owner, agent } = await makeScene(harness());
      const requestHash = await payment(agent);
      const signedIn = await harness().visit({ owner });
      const other = await harness().makeOwner();
      const visit = await harness().visit({ owner: other, isSignedIn: false });
      await visit.context.addCookies(await signedIn.context.cookies());
      await visit.goto(`/transactions/${requestHash}`);
      await button(visit.page, "Approve").click();
      await button(visit.page, "Open Test Wallet").click();
      await visit.page.getByText("Your wallet is at another address").waitFor();
      expect(await button(visit.page, "Sign and approve").isDisabled()).toBe(true);
      await visit.close();
      await signedIn.close();
    });

    test("shows what an agent proposes while it is being judged, labelled so", async () => {
      const { owner, agent } = await makeScene(harness());
      const requestHash = await payment(agent);
      const visit = await harness().visit({ owner });
      // As it was before the verdict.
      await visit.context.route(`**/api/transactions/${requestHash}`, async (route) => {
        const answer = await route.fetch();
        const record = (await answer.json()) as Record<string, unknown>;
        await route.fulfill({
          json: { ...record, phase: "REGISTERED", approvals: { user: [], orion: [], apiKey: [] } },
        });
      });
      await visit.goto(`/transactions/${requestHash}`);
      await heading(visit.page, "Being judged").waitFor();
      expect(await button(visit.page, "Approve").count()).toBe(0);
      await button(visit.page, "Reject").waitFor();
      await openWalletIsNotAsked(visit.wallet.asked);
      await visit.close();
    });
  });
};

/** Nothing is asked of a wallet by looking at a page. */
async function openWalletIsNotAsked(asked: readonly { readonly method: string }[]): Promise<void> {
  expect(
    asked.filter(({ method }) => method === "personal_sign" || method === "eth_requestAccounts"),
  ).toEqual([]);
}
