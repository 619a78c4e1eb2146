import type { Page } from "playwright-core";
import { describe, expect, test, vi } from "vitest";
import { sights, type Harness } from "../harness.ts";
import { press, tabTo } from "../hands.ts";
import { button, heading, makeScene, payment, theft } from "./proposals.ts";

// Not expect.poll: it does not know its test while several run concurrently.
const until = (isSo: () => Promise<boolean>): Promise<unknown> =>
  vi.waitUntil(isSo, { timeout: 30_000, interval: 100 });

/** Has the list answer with copies of its first row, in pages as the service sends them: the first has 100 rows. */
async function routeRows(page: Page, count: number): Promise<void> {
  await page.route(/\/api\/transactions\/users\//, async (route) => {
    const isNext = route.request().url().includes("cursor=");
    const answer = await route.fetch({
      url: route
        .request()
        .url()
        .replace(/[?&]cursor=[^&]*/, ""),
    });
    const [row = {}] = (await answer.json()) as object[];
    const copy = (index: number): object => ({
      ...row,
      ...{ status: "REJECTED", phase: "REJECTED", reason: "ORION", expiresAt: null },
      id: `copy-${index}`,
      requestHash: `0x${index.toString(16).padStart(64, "0")}`,
    });
    const [from, to] = isNext ? [100, count] : [0, Math.min(100, count)];
    const json = Array.from({ length: to - from }, (_, index) => copy(from + index));
    const link = '<https://api.example/transactions/users/x?limit=1000&cursor=next>; rel="next"';
    await route.fulfill({ json, headers: !isNext && count > 100 ? { link } : {} });
  });
}

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
        expect(await visit.page.title()).toMatch(/^\(1\) Send 0\.01 ETH to 0x742d/);
        expect(visit.complaints).toEqual([]);
        await visit.close();
      },
    );

    test("says why a proposal was blocked, under Blocked, by keyboard", async () => {
      const { owner, agent } = await makeScene(harness());
      const requestHash = await theft(agent);
      const visit = await harness().visit({ owner });
      await visit.goto("/transactions");
      await visit.page.getByText("You’re all caught up.").waitFor();
      await tabTo(visit.page, visit.page.getByRole("tab", { name: /Needs you/ }));
      for (const name of [/In progress/, /Blocked/]) {
        await visit.page.keyboard.press("ArrowRight");
        await visit.page.getByRole("tab", { name, selected: true }).waitFor();
      }
      // The title says what it does; the request is below it.
      const row = visit.page.getByRole("link", { name: /^Send 0\.5 ETH to .*Send 0\.01 ETH/ });
      await row.getByText("Differs").waitFor();
      await row
        .getByText(/0\.5 ETH/)
        .first()
        .waitFor();
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
      await payment(agent, "0.03", 3_500);
      await payment(agent, "0.04");
      const visit = await harness().visit({ owner });
      await visit.goto("/transactions");
      const rows = visit.page.getByRole("tabpanel").getByRole("link");
      await visit.page.getByText("Expires within the hour").waitFor();
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

    test("moves, opens, approves and rejects by keyboard; Back returns to the same row and filter", async () => {
      const { owner, agent } = await makeScene(harness());
      for (const ether of ["0.01", "0.02", "0.03"]) await payment(agent, ether);
      const visit = await harness().visit({ owner });
      const { page } = visit;
      await visit.goto("/transactions");
      const rows = page.getByRole("list", { name: "Proposals" }).getByRole("link");
      await rows.nth(2).waitFor();
      const focused = () => page.evaluate(() => document.activeElement?.getAttribute("data-row"));
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
      expect(await visit.axe()).toEqual([]);
      await page.keyboard.press("Escape");
      await page.keyboard.press("/");
      await page.keyboard.type("0.0");
      await page.waitForURL(/[?&]q=0\.0/);
      await page.evaluate(() => {
        (document.activeElement as HTMLElement | null)?.blur();
      });
      await page.keyboard.press("j");
      const [first, second] = await rows.evaluateAll((all) => all.map((row) => row.getAttribute("data-row")));
      expect(await focused()).toBe(first);
      await page.keyboard.press("j");
      expect(await focused()).toBe(second);
      await page.keyboard.press("k");
      expect(await focused()).toBe(first);
      await page.keyboard.press("Enter");
      await heading(page, "Needs your decision").waitFor();
      await page.goBack();
      await rows.nth(2).waitFor();
      expect(new URL(page.url()).searchParams.get("q")).toBe("0.0");
      expect(await page.getByLabel("Search").inputValue()).toBe("0.0");
      await until(async () => (await focused()) === first);
      // Approving opens the dialog on the proposal's page, and decides nothing.
      await page.keyboard.press("a");
      await page.getByRole("dialog", { name: "Approve this proposal" }).waitFor();
      expect(visit.wallet.asked.filter(({ method }) => method === "personal_sign")).toEqual([]);
      expect(new URL(page.url()).search).toBe("");
      expect(visit.complaints).toEqual([]);
      await visit.close();
    });

    test.each(sights)("rejects several at once, and approves none: $screen, $scheme", async (sight) => {
      const { owner, agent } = await makeScene(harness());
      const made = [];
      for (const ether of ["0.01", "0.02", "0.03"]) made.push(await payment(agent, ether));
      const visit = await harness().visit({ owner, ...sight });
      const { page } = visit;
      await visit.goto("/transactions");
      await page.getByRole("checkbox", { name: /Select Send 0\.01 ETH/ }).check();
      await page.getByRole("checkbox", { name: /Select Send 0\.03 ETH/ }).check();
      await page.getByText("2 selected").waitFor();
      expect(await page.getByRole("button", { name: /^Approve/ }).count()).toBe(0);
      await press(visit, button(page, "Reject 2"));
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("heading", { name: "Reject 2 proposals" }).waitFor();
      expect(await visit.axe()).toEqual([]);
      await press(visit, dialog.getByRole("button", { name: "Reject 2" }));
      await dialog.getByText("2 of 2 rejected").waitFor();
      await press(visit, dialog.getByRole("button", { name: "Close", exact: true }));
      await page.getByText("2 selected").waitFor({ state: "detached" });
      const rows = page.getByRole("list", { name: "Proposals" }).getByRole("link");
      await until(async () => (await rows.count()) === 1);
      const states = await Promise.all(made.map((hash) => owner.client.transaction(hash)));
      expect(states.map(({ status }) => status)).toEqual(["REJECTED", "PENDING", "REJECTED"]);
      await visit.close();
    });

    test("returns to the same tab and place after Back", async () => {
      const { owner, agent } = await makeScene(harness());
      const visit = await harness().visit({ owner, screen: "phone" });
      const { page } = visit;
      await payment(agent);
      await routeRows(page, 200);
      await visit.goto("/transactions");
      await page.getByRole("tab", { name: /Blocked/ }).tap();
      await page.getByRole("link", { name: /Send/ }).first().waitFor();
      await page.evaluate(() => {
        scrollTo({ top: 3000 });
      });
      await page.waitForTimeout(300);
      const before = await page.evaluate(() => scrollY);
      expect(before).toBeGreaterThan(2000);
      const row = page.getByRole("link", { name: /Send/ }).nth(12);
      await row.evaluate((element) => {
        (element as HTMLElement).click();
      });
      await page.waitForURL(/transactions\/0x/);
      await page.goBack();
      await page.getByRole("tab", { name: /Blocked/, selected: true }).waitFor();
      await until(async () => (await page.evaluate(() => scrollY)) === before);
      await visit.close();
    });

    test("stays as fluid with 5,000 proposals as with 100", async () => {
      const { owner, agent } = await makeScene(harness());
      await payment(agent);
      const measure = async (count: number) => {
        const visit = await harness().visit({ owner });
        const { page } = visit;
        await routeRows(page, count);
        await visit.goto("/transactions?tab=blocked");
        await page.getByRole("link", { name: /Send/ }).first().waitFor();
        if (count > 100) {
          await page.getByRole("button", { name: "Show more" }).click();
          await page.getByRole("tab", { name: new RegExp(`Blocked ${count}`) }).waitFor();
        }
        const found = await page.evaluate(async () => {
          const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
          const end = document.documentElement.scrollHeight - innerHeight;
          const began = performance.now();
          for (let step = 1; step <= 20; step++) {
            scrollTo({ top: (end * step) / 20 });
            await frame();
          }
          const rows = document.querySelectorAll("[data-row]").length;
          return { rows, height: end, ms: performance.now() - began };
        });
        await visit.close();
        return found;
      };
      const [few, many] = [await measure(100), await measure(5000)];
      expect(many.height).toBeGreaterThan(30 * few.height);
      expect(many.rows).toBeLessThan(60);
      // Not 50 times as slow: with every row rendered it would be. The factor leaves room for a busy machine.
      expect(many.ms / few.ms).toBeLessThan(5);
    });

    test.each([
      ["CSV", /^requestHash,createdAt,[^]*"REJECTED"/],
      ["JSON", /"ownerDecision": "REJECTED"/],
    ])("exports all decisions as %s", async (format, content) => {
      const { owner, agent } = await makeScene(harness());
      await owner.client.reject(await payment(agent));
      const visit = await harness().visit({ owner });
      const { page } = visit;
      await visit.goto("/transactions?tab=decided");
      const saved = page.waitForEvent("download");
      await button(page, `Export ${format}`).click();
      const stream = await (await saved).createReadStream();
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      expect(Buffer.concat(chunks).toString()).toMatch(content);
      expect(visit.complaints).toEqual([]);
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
