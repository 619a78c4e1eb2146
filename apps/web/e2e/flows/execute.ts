import { describe, expect, test } from "vitest";
import { press } from "../hands.ts";
import type { Harness } from "../harness.ts";
import { alice, heading, makeScene, openWallet, payment, sendButton } from "./proposals.ts";

const ready = "Approved. Send it with your wallet.";

export const executeFlows = (harness: () => Harness): void => {
  describe("executing", () => {
    test.each([1, 0])(
      "has the wallet send exactly what was approved, and follows it to finality: type %i",
      async (executionType) => {
        const { owner, agent } = await makeScene(harness());
        await owner.client.request("/settings", { method: "PUT", body: { executionType } });
        const requestHash = await payment(agent);
        if (executionType === 1) await owner.client.approve(requestHash);
        await owner.client.waitForStatus(requestHash, ["APPROVED"]);
        const visit = await harness().visit({ owner, screen: executionType === 1 ? "phone" : "desktop" });
        const { page } = visit;
        await visit.goto(`/transactions/${requestHash}`);
        await heading(page, ready).waitFor();
        await openWallet(visit);
        expect(await visit.axe()).toEqual([]);
        await press(visit, sendButton(page));
        const sent = page.getByText("Sent by your wallet. Waiting for confirmation.");
        await sent
          .or(heading(page, /In a block|Executed/))
          .first()
          .waitFor();
        const [asked] = visit.wallet.asked.filter(({ method }) => method === "eth_sendTransaction");
        expect(asked?.params).toEqual([
          {
            from: owner.account.address,
            to: alice,
            value: "0x2386f26fc10000",
            data: "0x",
            chainId: "0xaa36a7",
          },
        ]);
        await heading(page, "Executed").waitFor({ timeout: 120_000 });
        expect((await owner.client.transaction(requestHash)).status).toBe("EXECUTED");
        expect(visit.complaints).toEqual([]);
        await visit.close();
      },
    );

    test("remembers a sent transaction after a reload, and forgets one that the owner declined", async () => {
      const { owner, agent } = await makeScene(harness());
      const requestHash = await payment(agent);
      await owner.client.approve(requestHash);
      await owner.client.waitForStatus(requestHash, ["APPROVED"]);
      const visit = await harness().visit({ owner });
      const { page } = visit;
      await visit.goto(`/transactions/${requestHash}`);
      await openWallet(visit);
      visit.wallet.refuse = true;
      await sendButton(page).click();
      await page.getByText("You declined in your wallet. Nothing was sent.").waitFor();
      await sendButton(page).waitFor();
      await page.evaluate((hash) => {
        localStorage.setItem(`countersign.sent.${hash}`, `${Date.now()} `);
      }, requestHash);
      await page.reload();
      await page.getByText("Your wallet may have sent this").waitFor();
      expect(await sendButton(page).count()).toBe(0);
      await visit.close();
    });

    test("refuses to send when the record's calldata differs from the verdict's", async () => {
      const { owner, agent } = await makeScene(harness());
      const requestHash = await payment(agent);
      await owner.client.approve(requestHash);
      await owner.client.waitForStatus(requestHash, ["APPROVED"]);
      const visit = await harness().visit({ owner });
      await visit.context.route(`**/api/transactions/${requestHash}`, async (route) => {
        const record = (await (await route.fetch()).json()) as { tx: object };
        await route.fulfill({ json: { ...record, tx: { ...record.tx, value: "500000000000000000" } } });
      });
      await visit.goto(`/transactions/${requestHash}`);
      await visit.page.getByText("The transaction isn’t the one that was checked.").waitFor();
      expect(await sendButton(visit.page).count()).toBe(0);
      await visit.close();
    });
  });
};
