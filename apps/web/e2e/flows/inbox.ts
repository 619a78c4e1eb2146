import { describe, expect, test } from "vitest";
import { sights, type Harness } from "../harness.ts";
import { tabTo } from "../hands.ts";
import { button, heading, makeScene, payment, theft } from "./proposals.ts";

export const inboxFlows = (harness: () => Harness): void => {
  describe("the inbox", () => {
    test.each(sights)(
      "shows first steps, then new proposals without a reload: $screen, $scheme",
      async (sight) => {
        const { owner, agent } = await makeScene(harness());
        const visit = await harness().visit({ owner, ...sight });
        await visit.goto("/transactions");
        await visit.page.getByText("Connect your first agent").waitFor();
        await visit.page.evaluate(() => Object.assign(window, { isSamePage: true }));
        await payment(agent);
        const row = visit.page.getByRole("link", { name: /Send 0\.01 ETH/ });
        await row.getByText("Needs you").waitFor();
        await row.getByText("Matches").waitFor();
        expect(await visit.page.evaluate(() => "isSamePage" in window)).toBe(true);
        expect(await visit.axe()).toEqual([]);
        await row.click();
        await heading(visit.page, "Needs your decision").waitFor();
        expect(visit.complaints).toEqual([]);
        await visit.close();
      },
    );

    test("says why a proposal was blocked, under Done, by keyboard", async () => {
      const { owner, agent } = await makeScene(harness());
      const requestHash = await theft(agent);
      const visit = await harness().visit({ owner });
      await visit.goto("/transactions");
      await visit.page.getByText("You’re all caught up.").waitFor();
      await tabTo(visit.page, visit.page.getByRole("tab", { name: /Needs you/ }));
      for (const name of [/In progress/, /Done/]) {
        await visit.page.keyboard.press("ArrowRight");
        await visit.page.getByRole("tab", { name, selected: true }).waitFor();
      }
      const row = visit.page.getByRole("link", { name: /Send 0\.01 ETH/ });
      await row.getByText("Differs").waitFor();
      await row.getByText(/0\.5 ETH/).waitFor();
      await tabTo(visit.page, row);
      await visit.page.keyboard.press("Enter");
      await heading(visit.page, "Blocked").waitFor();
      expect(visit.page.url()).toContain(requestHash);
      expect(await button(visit.page, "Approve").count()).toBe(0);
      expect(await button(visit.page, "Reject").count()).toBe(0);
      await visit.close();
    });

    test("lists the next to expire first", async () => {
      const { owner, agent } = await makeScene(harness());
      await payment(agent, "0.02");
      await payment(agent, "0.03", 3_600);
      await payment(agent, "0.04");
      const visit = await harness().visit({ owner });
      await visit.goto("/transactions");
      const rows = visit.page.getByRole("tabpanel").getByRole("link");
      await rows.nth(2).waitFor();
      expect(await rows.first().textContent()).toContain("0.03 ETH");
      await visit.close();
    });

    test("loads older transactions on request, and reports a failure", async () => {
      const { owner, agent } = await makeScene(harness());
      for (const ether of ["0.01", "0.02", "0.03"]) await payment(agent, ether);
      const visit = await harness().visit({ owner });
      const { page } = visit;
      let isAway = true;
      // Two rows per page.
      await page.route(/[?&]limit=\d+/, (route) => {
        const url = route.request().url();
        if (isAway && url.includes("cursor=")) return route.abort("connectionreset");
        return route.continue({ url: url.replace(/limit=\d+/, "limit=2") });
      });
      await visit.goto("/transactions");
      const rows = page.getByRole("tabpanel").getByRole("link");
      await rows.nth(1).waitFor();
      expect(await page.getByText("0.01 ETH").count()).toBe(0);
      await button(page, "Show more").click();
      await page.getByText("Couldn’t load older transactions").waitFor();
      expect(await rows.count()).toBe(2);
      isAway = false;
      await button(page, "Show more").click();
      await page.getByRole("link", { name: /Send 0\.01 ETH/ }).waitFor();
      await button(page, "Show more").waitFor({ state: "detached" });
      await visit.close();
    });

    test("says so if a transaction does not exist", async () => {
      const { owner } = await makeScene(harness());
      const visit = await harness().visit({ owner });
      await visit.goto(`/transactions/0x${"ab".repeat(32)}`);
      await heading(visit.page, "Transaction not found").waitFor();
      expect(await visit.axe()).toEqual([]);
      await visit.close();
    });
  });
};
