import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { sights, type Harness, type Visit } from "../harness.ts";

const part = (page: Page, name: string): Locator => page.getByRole("region", { name, exact: true });

/** Checks an example on the page to try a check. */
async function check(visit: Visit, example: RegExp, change?: (page: Page) => Promise<void>): Promise<void> {
  const { page } = visit;
  await visit.goto("/try");
  await page.getByRole("button", { name: example }).click();
  await change?.(page);
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await part(page, "Verdict").waitFor();
}

const wide = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

async function expectTakeoverBlocks(page: Page): Promise<void> {
  const verdict = await part(page, "Verdict").innerText();
  expect(verdict).toMatch(/Differs from what you asked/);
  expect(verdict).toMatch(/Runs unknown code as your wallet, and can take everything/);
  expect(verdict).toMatch(/30,000 ETH from the cold wallet/);
  expect(verdict).toMatch(/Gives control of your wallet to 0x962214…5c7242/);
  expect(await part(page, "What you asked").locator("mark").first().innerText()).toMatch(/^Move/);
  const does = part(page, "What it does");
  expect(await does.innerText()).toMatch(/Not simulated/);
  // Nested calls are nested lists.
  const inner = does.locator("ol > li ol > li");
  expect(await inner.innerText()).toMatch(/Runs unknown code as your wallet/);
  expect(await part(page, "What differs").innerText()).toMatch(/Asked\s+Move\s+Does\s+A change of control/);
}

async function expectBytes(page: Page): Promise<void> {
  const compare = part(page, "Compare on a hardware wallet");
  await compare.getByRole("button", { name: "Compare on a hardware wallet" }).click();
  await compare.getByText("Calldata digest").waitFor();
  expect(await compare.innerText()).toMatch(
    /0x63e9059bc3adac337bfc9566564bb03f8b26671e81edfbba63f291a1166a5427/,
  );
  expect(await compare.locator("mark").count()).toBe(0);
  await compare.getByRole("button", { name: "Raw data (580 bytes)" }).click();
  const marks = compare.locator("mark");
  expect(await marks.first().innerText()).toBe("a9059cbb");
  const row = compare.getByRole("listitem").filter({ hasText: "a9059cbb" });
  expect(await row.innerText()).toMatch(/^0x0164/);
  expect(await compare.getByRole("list", { name: "Flagged bytes" }).innerText()).toMatch(
    /(foreign|unknown) code/i,
  );
}

export const reportFlows = (harness: () => Harness): void => {
  describe("a report", () => {
    test.each(sights)(
      "shows why a takeover differs, down to the calldata: $screen, $scheme",
      async (sight) => {
        const visit = await harness().visit({ ...sight });
        await check(visit, /^Takeover/);
        await expectTakeoverBlocks(visit.page);
        await expectBytes(visit.page);
        expect(await wide(visit.page)).toBeLessThanOrEqual(0);
        expect(await visit.axe()).toEqual([]);
        expect(visit.complaints).toEqual([]);
        await visit.close();
      },
    );

    test("distinguishes skipped from flagged checks by text, not by color alone", async () => {
      const visit = await harness().visit();
      await check(visit, /^Unlimited approval/);
      const checks = part(visit.page, "Checks");
      const flagged = checks.getByRole("listitem").filter({ hasText: "Flagged" });
      const open = checks.getByRole("listitem").filter({ hasText: "Couldn’t run" });
      expect(await flagged.count()).toBe(1);
      expect(await open.count()).toBeGreaterThan(3);
      for (const one of await open.all()) expect(await one.innerText()).toMatch(/Why: ./);
      expect(await open.filter({ hasText: "Flagged" }).count()).toBe(0);
      expect(await checks.innerText()).toMatch(/\d couldn’t run: .*simulation/);
      expect(await part(visit.page, "What it does").innerText()).toMatch(/can take any amount of USDC/);
      const passed = checks.getByRole("button", { name: /checks passed/ }).first();
      expect(await passed.getAttribute("aria-expanded")).toBe("false");
      await passed.press("Enter");
      expect(
        await checks
          .getByRole("listitem")
          .filter({ hasText: /^Passed/ })
          .count(),
      ).toBeGreaterThan(0);
      await visit.close();
    });

    test("shows the transaction as a sentence, and how the request was read", async () => {
      const visit = await harness().visit();
      await check(visit, /^Plain payment/, (page) =>
        page
          .getByLabel("What you asked")
          .fill("please pay 0.05 ETH to 0x742d35Cc6634C0532925a3b844Bc454e4438f44e"),
      );
      expect(await part(visit.page, "What it does").innerText()).toMatch(/Send 0\.05 ETH to\s+0x742d/);
      expect(await part(visit.page, "What you asked").innerText()).toMatch(
        /We read it as: Send 0\.05 ETH to\s+0x742d/,
      );
      await visit.close();
    });

    test("says that part of a transaction cannot be read", async () => {
      const visit = await harness().visit();
      await check(visit, /^Plain payment/, (page) =>
        page.getByLabel("Data").fill(`0xdeadbeef${"00".repeat(64)}`),
      );
      expect(await part(visit.page, "Verdict").innerText()).toMatch(/does something we can’t read/);
      const does = await part(visit.page, "What it does").innerText();
      expect(does).toMatch(/Unknown function/);
      expect(does).toMatch(/0\.05 ETH/);
      expect(does).toMatch(/Unknown: we can’t read part of it/);
      expect(does).not.toMatch(/at most|No one gets/);
      await visit.close();
    });

    test("keeps the order of a right-to-left request whose parts are marked", async () => {
      const visit = await harness().visit({ screen: "phone" });
      const { page } = visit;
      const words = "שלח 9 ETH אל 0x742d35Cc6634C0532925a3b844Bc454e4438f44e \u200Bתודה";
      await check(visit, /^Plain payment/, (form) => form.getByLabel("What you asked").fill(words));
      const quote = part(page, "What you asked").locator("blockquote");
      expect(await quote.getAttribute("dir")).toBe("rtl");
      // The first word is at the right edge of the first line.
      const [first, frame] = await quote.evaluate((element) => {
        const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        const range = document.createRange();
        const node = walker.nextNode();
        if (node === null) throw new Error("no text");
        range.setStart(node, 0);
        range.setEnd(node, 1);
        return [range.getBoundingClientRect().right, element.getBoundingClientRect().right];
      });
      expect(frame - first).toBeLessThan(20);
      await visit.close();
    });

    test("warns of look-alike addresses, and shows a hostile request as text", async () => {
      const visit = await harness().visit({ screen: "phone" });
      const alike = "0x742dffffffffffffffffffffffffffffffff" + "f44e";
      const words = `Send 0.05 ETH to ${alike} <img src=x onerror=alert(1)> \u202Eevil\u200B <script>alert(2)</script>`;
      await check(visit, /^Plain payment/, (page) => page.getByLabel("What you asked").fill(words));
      const asked = part(visit.page, "What you asked");
      expect(await asked.innerText()).toMatch(/<img[^]*src=x onerror=alert\(1\)>/);
      expect(await asked.innerText()).toMatch(/U\+202E/);
      expect(await visit.page.locator("main img, main script").count()).toBe(0);
      await visit.page.getByText("Two addresses here look alike").waitFor();
      expect(await part(visit.page, "Verdict").innerText()).not.toMatch(/Matches what you asked/);
      expect(await wide(visit.page)).toBeLessThanOrEqual(0);
      expect(visit.complaints).toEqual([]);
      await visit.close();
    });
  });
};
