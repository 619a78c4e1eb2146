import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { sights, type Harness, type Visit } from "../harness.ts";

const part = (page: Page, name: string): Locator => page.getByRole("region", { name, exact: true });

/** Shown on the page where anybody can have a verdict. */
async function judge(visit: Visit, example: RegExp, change?: (page: Page) => Promise<void>): Promise<void> {
  const { page } = visit;
  await visit.goto("/try");
  await page.getByRole("button", { name: example }).click();
  await change?.(page);
  await page.getByRole("button", { name: "Compare" }).click();
  await part(page, "Verdict").waitFor();
}

const wide = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

async function expectTakeoverBlocks(page: Page): Promise<void> {
  const verdict = await part(page, "Verdict").innerText();
  expect(verdict).toMatch(/Differs from what you asked/);
  expect(verdict).toMatch(/Foreign code would run as this account and could change everything about it/);
  expect(verdict).toMatch(/Move 30,000 ETH/);
  expect(verdict).toMatch(/0 ETH moves; hands control to 0x962214…5c7242/);
  expect(await part(page, "What you asked").locator("mark").first().innerText()).toMatch(/^Move/);
  const does = part(page, "What it does");
  expect(await does.innerText()).toMatch(/Not simulated/);
  // A call inside of a call is a list inside of a list.
  const inner = does.locator("ol > li ol > li");
  expect(await inner.innerText()).toMatch(/Runs foreign code as this account/);
  expect(await part(page, "What differs").innerText()).toMatch(/Asked\s+Move\s+Does\s+A change of control/);
}

async function expectBytes(page: Page): Promise<void> {
  const compare = part(page, "To compare on a hardware wallet");
  expect(await compare.innerText()).toMatch(
    /0x63e9059bc3adac337bfc9566564bb03f8b26671e81edfbba63f291a1166a5427/,
  );
  expect(await compare.locator("mark").count()).toBe(0);
  await compare.getByRole("button", { name: "Raw bytes (580 bytes)" }).click();
  const marks = compare.locator("mark");
  expect(await marks.first().innerText()).toBe("a9059cbb");
  const row = compare.getByRole("listitem").filter({ hasText: "a9059cbb" });
  expect(await row.innerText()).toMatch(/^0x0164/);
  expect(await compare.getByRole("list", { name: "What is marked" }).innerText()).toMatch(
    /No foreign code runs as this account/,
  );
}

export const reportFlows = (harness: () => Harness): void => {
  describe("a verdict, drawn", () => {
    test.each(sights)(
      "shows why a takeover must not be signed, block by block, down to the bytes: $screen, $scheme",
      async (sight) => {
        const visit = await harness().visit({ ...sight });
        await judge(visit, /takeover/);
        await expectTakeoverBlocks(visit.page);
        await expectBytes(visit.page);
        expect(await wide(visit.page)).toBeLessThanOrEqual(0);
        expect(await visit.axe()).toEqual([]);
        expect(visit.complaints).toEqual([]);
        await visit.close();
      },
    );

    test("tells what could not be checked from what objects, by word and not by colour alone", async () => {
      const visit = await harness().visit();
      await judge(visit, /without limit/);
      const checks = part(visit.page, "Checks");
      const objects = checks.getByRole("listitem").filter({ hasText: "Objects" });
      const open = checks.getByRole("listitem").filter({ hasText: "Could not be checked" });
      expect(await objects.count()).toBe(1);
      expect(await open.count()).toBeGreaterThan(3);
      for (const one of await open.all()) expect(await one.innerText()).toMatch(/What was lacking: ./);
      expect(await open.filter({ hasText: "Objects" }).count()).toBe(0);
      expect(await part(visit.page, "Verdict").innerText()).toMatch(
        /could not be checked, which is no objection/,
      );
      expect(await part(visit.page, "What it does").innerText()).toMatch(/may take any amount of USDC/);
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

    test("does not pass what could be read for all there is, where something could not", async () => {
      const visit = await harness().visit();
      await judge(visit, /plain payment/, (page) =>
        page.getByLabel("Data").fill(`0xdeadbeef${"00".repeat(64)}`),
      );
      expect(await part(visit.page, "Verdict").innerText()).toMatch(/and something that cannot be read/);
      const does = await part(visit.page, "What it does").innerText();
      expect(does).toMatch(/A function that is not known/);
      expect(does).toMatch(/0\.05 ETH/);
      expect(does).toMatch(/Not known, since part of it cannot be read/);
      expect(does).not.toMatch(/at most|nobody may take/);
      await visit.close();
    });

    test("warns of addresses that look alike, and shows hostile words as nothing but text", async () => {
      const visit = await harness().visit({ screen: "phone" });
      const alike = "0x742dffffffffffffffffffffffffffffffff" + "f44e";
      const words = `Send 0.05 ETH to ${alike} <img src=x onerror=alert(1)> \u202Eevil\u200B <script>alert(2)</script>`;
      await judge(visit, /plain payment/, (page) => page.getByLabel("What was asked, in words").fill(words));
      const asked = part(visit.page, "What you asked");
      expect(await asked.innerText()).toMatch(/<img src=x onerror=alert\(1\)>/);
      expect(await asked.innerText()).toMatch(/U\+202E/);
      expect(await visit.page.locator("main img, main script").count()).toBe(0);
      await visit.page.getByText("Two different addresses here look alike").waitFor();
      expect(await part(visit.page, "Verdict").innerText()).not.toMatch(/Matches what you asked/);
      expect(await wide(visit.page)).toBeLessThanOrEqual(0);
      expect(visit.complaints).toEqual([]);
      await visit.close();
    });
  });
};
