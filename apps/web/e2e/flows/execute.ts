import { describe, expect, test } from "vitest";
import { press } from "../hands.ts";
import type { Harness } from "../harness.ts";
import { alice, button, heading, makeScene, openWallet, payment } from "./proposals.ts";

const ready = "Approved: your wallet has yet to send it";

export const executeFlows = (harness: () => Harness): void => {
  describe("executing", () => {
    test.each([1, 0])(
      "has the wallet send exactly what was approved, until the chain has it: type %i",
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
        await press(visit, button(page, "Send exactly this"));
        const sent = page.getByText("Sent by your wallet; not confirmed by the service yet");
        await sent
          .or(heading(page, /On the chain|Executed/))
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

    test("does not forget what was sent when the page is loaded again, and takes back what the person refused", async () => {
      const { owner, agent } = await makeScene(harness());
      const requestHash = await payment(agent);
      await owner.client.approve(requestHash);
      await owner.client.waitForStatus(requestHash, ["APPROVED"]);
      const visit = await harness().visit({ owner });
      const { page } = visit;
      await visit.goto(`/transactions/${requestHash}`);
      await openWallet(visit);
      visit.wallet.refuse = true;
      await button(page, "Send exactly this").click();
      await page.getByText("You refused in your wallet. Nothing was sent.").waitFor();
      await button(page, "Send exactly this").waitFor();
      await page.evaluate((hash) => {
        localStorage.setItem(`countersign.sent.${hash}`, `${Date.now()} `);
      }, requestHash);
      await page.reload();
      await page.getByText("what became of it is not known").waitFor();
      expect(await button(page, "Send exactly this").count()).toBe(0);
      await visit.close();
    });

    test("refuses when the record's bytes are not those of the verdict", async () => {
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
      await visit.page.getByText("The record's bytes are not those that the verdict was given on.").waitFor();
      expect(await button(visit.page, "Send exactly this").count()).toBe(0);
      await visit.close();
    });
  });
};
