// Tests the pages when something ends or fails: a session, a connection, a proposal, an address.
import { describe, expect, test } from "vitest";
import type { Harness } from "../harness.ts";
import { begin, button, heading, makeScene, payment } from "./proposals.ts";

export const endingFlows = (harness: () => Harness): void => {
  describe("endings", () => {
    test("approves nothing after the session has ended, and says so", async () => {
      const { owner, agent } = await makeScene(harness());
      const requestHash = await payment(agent);
      const visit = await harness().visit({ owner });
      const { page } = visit;
      await visit.goto(`/transactions/${requestHash}`);
      await begin(visit, "Approve");
      await button(page, "Continue in wallet").and(page.locator(":enabled")).waitFor();
      await visit.context.clearCookies();
      await button(page, "Continue in wallet").click();
      await page.getByText("Your session has ended").waitFor();
      await page.getByText("Nothing was decided. Sign in again").waitFor();
      expect(visit.wallet.asked.filter(({ method }) => method === "personal_sign")).toEqual([]);
      expect((await owner.client.transaction(requestHash)).approvals.user).toEqual([]);
      await visit.close();
    });

    test("reports an approval that was signed while the session ended", async () => {
      const { owner, agent } = await makeScene(harness());
      const requestHash = await payment(agent);
      const visit = await harness().visit({ owner });
      const { page } = visit;
      await visit.goto(`/transactions/${requestHash}`);
      await begin(visit, "Approve");
      await page.route("**/approvals?*", async (route) => {
        await visit.context.clearCookies();
        await route.continue();
      });
      await button(page, "Continue in wallet").click();
      await page.getByText("Your session has ended").waitFor();
      await page.getByText(/Your approval was recorded at \d\d:\d\d:\d\d/).waitFor();
      expect((await owner.client.transaction(requestHash)).approvals.user).toHaveLength(1);
      await visit.close();
    });

    test("says that it is offline when a page cannot be loaded, and recovers", async () => {
      const { owner } = await makeScene(harness());
      const visit = await harness().visit({ owner });
      const { page } = visit;
      await visit.goto("/transactions");
      await heading(page, "Inbox").waitFor();
      await visit.context.setOffline(true);
      await page.getByRole("link", { name: "Settings" }).click();
      await heading(page, "This page couldn’t load").waitFor();
      await page.getByText("You’re offline. Other pages").waitFor();
      await page.getByRole("link", { name: "Inbox" }).click();
      await heading(page, "Inbox").waitFor();
      await visit.context.setOffline(false);
      await page.getByRole("link", { name: "Settings" }).click();
      await button(page, "Try again").or(heading(page, "Settings")).first().waitFor();
      if (await button(page, "Try again").isVisible()) await button(page, "Try again").click();
      await heading(page, "Settings").waitFor();
      await visit.close();
    });

    test("reports an error, not a placeholder, on a page that was loaded but is offline now", async () => {
      const { owner } = await makeScene(harness());
      const visit = await harness().visit({ owner });
      const { page } = visit;
      await visit.goto("/settings");
      await page.getByText("Active: You approve everything").waitFor();
      await visit.goto("/access");
      await heading(page, "Agents and keys").waitFor();
      await page.getByRole("link", { name: "Settings" }).hover();
      await page.waitForTimeout(1000);
      await visit.context.setOffline(true);
      await page.getByRole("link", { name: "Settings" }).click();
      await page.getByRole("alert").first().waitFor();
      await page.waitForFunction(() => document.querySelector("main .animate-pulse") === null);
      await visit.close();
    });

    test("shows an expired proposal as expired, not as rejected", async () => {
      const { owner, agent } = await makeScene(harness());
      const requestHash = await payment(agent);
      const visit = await harness().visit({ owner });
      const { page } = visit;
      const expire = (record: object): object => ({
        ...record,
        ...{ status: "REJECTED", phase: "REJECTED", reason: "EXPIRED", expiresAt: null },
      });
      await page.route(/\/api\/transactions\/users\//, async (route) => {
        const rows = (await (await route.fetch()).json()) as object[];
        await route.fulfill({ json: rows.map(expire) });
      });
      await page.route(`**/api/transactions/${requestHash}`, async (route) => {
        await route.fulfill({ json: expire((await (await route.fetch()).json()) as object) });
      });
      await visit.goto("/transactions?tab=decided");
      await page.getByText("Expired", { exact: true }).first().waitFor();
      expect(await page.getByText("Rejected", { exact: true }).count()).toBe(0);
      await visit.goto(`/transactions/${requestHash}`);
      await heading(page, "Expired").waitFor();
      expect(await page.getByText("Rejected", { exact: true }).count()).toBe(0);
      await visit.close();
    });

    test.each([
      ["/transactions/abc", "Transaction not found"],
      ["/transactions/0x12", "Transaction not found"],
      ["/agents/abc", "Agent not found"],
      ["/agents/0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc/transactions/abc", "Transaction not found"],
    ])("says that nothing is at %s, without an error of the service", async (path, title) => {
      const { owner } = await makeScene(harness());
      const visit = await harness().visit({ owner });
      await visit.goto(path);
      await heading(visit.page, title).waitFor();
      expect(await visit.page.locator("main").innerText()).not.toMatch(
        /must|requestHash|ethereumAddress|0x\(/,
      );
      await visit.close();
    });
  });
};
