// Tests that an approval is shown as effects, and that access counts as outflow.
import type { Page } from "playwright-core";
import { describe, expect, test, vi } from "vitest";
import { press } from "../hands.ts";
import { sights, type Harness } from "../harness.ts";
import {
  begin,
  button,
  heading,
  makeScene,
  openWallet,
  payment,
  tokenApproval,
  tokenPayment,
} from "./proposals.ts";
import { proposeSubject, subjects } from "./shapes.ts";

type Receipt = { readonly report: { readonly context: object } };

/** Adds balances to the report of each receipt, as a validator writes them that was sent the state of the chain. */
const withBalances = (page: Page, balances: unknown): Promise<unknown> =>
  page.route(/\/receipt$/, async (route) => {
    const response = await route.fetch();
    const receipt = (await response.json()) as Receipt;
    const context = { ...receipt.report.context, state: { status: "proven" }, balances };
    await route.fulfill({ response, json: { ...receipt, report: { ...receipt.report, context } } });
  });

export const effectFlows = (harness: () => Harness): void => {
  describe("effects", () => {
    test.each(sights)(
      "shows a token payment as amount and recipient, not as a contract and 0 ETH: $screen, $scheme",
      async (sight) => {
        const { owner, agent } = await makeScene(harness());
        const requestHash = await tokenPayment(agent);
        const visit = await harness().visit({ owner, ...sight });
        const { page } = visit;
        await visit.goto(`/transactions/${requestHash}`);
        await heading(page, /^Send 250 USDC to 0x742d35…38f44e$/).waitFor();
        await page.getByText("an agent", { exact: true }).waitFor();
        await begin(visit, "Approve");
        const dialog = page.getByRole("dialog");
        expect(await dialog.getByRole("list", { name: "What it does" }).innerText()).toMatch(
          /^Send 250 USDC .*to\s+0x742d35…38f44e\s+on Sepolia$/s,
        );
        expect(await dialog.innerText()).not.toMatch(/0 ETH|0x1c7D/i);
        await press(visit, button(page, "Technical details"));
        expect(await dialog.innerText()).toMatch(/Contract called\s+0x1c7D[^]*Native value\s+0 ETH/i);
        expect(await visit.axe()).toEqual([]);
        expect(visit.complaints).toEqual([]);
        await visit.close();
      },
    );

    test.each(sights)(
      "shows what the account holds before and after, as the report says: $screen, $scheme",
      async (sight) => {
        const { owner, agent } = await makeScene(harness());
        const requestHash = await tokenPayment(agent);
        const visit = await harness().visit({ owner, ...sight });
        const { page } = visit;
        const unknownToken = `0x${"fa".repeat(20)}`;
        await withBalances(page, {
          ...{ status: "known", account: owner.account.address.toLowerCase(), block: "24000000" },
          ...{ fee_included: false, complete: false },
          assets: [
            {
              ...{ kind: "token", symbol: "USDC", address: `0x${"11".repeat(20)}`, decimals: 6 },
              ...{ before: "12480500000", after: "12230500000", measured: true },
            },
            {
              ...{ kind: "native", symbol: "ETH", decimals: 18, measured: true },
              ...{ before: "1842000000000000001", after: "0" },
            },
            {
              ...{ kind: "token", symbol: null, address: unknownToken, decimals: null },
              ...{ before: "1000000", after: null, measured: false },
            },
          ],
        });
        await visit.goto(`/transactions/${requestHash}`);
        const table = page.getByRole("region", { name: "Balances", exact: true });
        await table.waitFor();
        const cells = await table
          .getByRole("row")
          .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
        expect(cells).toEqual([
          ["Asset", "Before", "After"],
          ["USDC", "12,480.5", "12,230.5"],
          ["ETH", "1.842000000000000001", "0"],
          [expect.stringContaining("0xfafafa…fafafa") as string, "1,000,000 base units", "Not known"],
        ]);
        const text = await table.innerText();
        expect(text).toMatch(/Read at block 24,000,000, as if the transaction were next\./);
        expect(text).toMatch(/The network fee is not included\./);
        expect(text).toMatch(/the contract doesn’t say how much you hold/);
        expect(text).toMatch(/balances of an unknown token are its contract’s own claim/);
        expect(text).toMatch(/a balance may be missing/);
        expect(
          await page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          ),
        ).toBeLessThanOrEqual(0);
        expect(await visit.axe()).toEqual([]);
        expect(visit.complaints).toEqual([]);
        await visit.close();
      },
    );

    test("shows what the Safe holds, for a transaction that it would make", async () => {
      const { owner, agent } = await makeScene(harness());
      const subject = subjects.safe();
      const requestHash = await proposeSubject(agent, subject);
      const visit = await harness().visit({ owner, screen: "phone" });
      const { page } = visit;
      await withBalances(page, {
        ...{ status: "known", account: subject.safeTransaction.safe.toLowerCase(), block: "24000000" },
        ...{ fee_included: false, complete: true },
        assets: [
          {
            ...{ kind: "native", symbol: "ETH", decimals: 18, measured: true },
            ...{ before: "2000000000000000000", after: "1900000000000000000" },
          },
        ],
      });
      await visit.goto(`/transactions/${requestHash}`);
      const table = page.getByRole("region", { name: "Balances of the Safe", exact: true });
      await table.waitFor();
      expect(await table.innerText()).toMatch(/0x5afe38…c1eeee[^]*ETH\s+2\s+1\.9/i);
      expect(await visit.axe()).toEqual([]);
      expect(visit.complaints).toEqual([]);
      await visit.close();
    });

    test.each<[string, unknown, RegExp]>([
      ["no state was read", undefined, /Balances are not known: the state of the chain was not read\./],
      [
        "the account is a contract",
        { status: "unknown", why: "The account is a contract." },
        /Balances are not known\. The account is a contract\./,
      ],
      [
        "the report is about another account",
        {
          ...{ status: "known", account: `0x${"22".repeat(20)}`, block: "1", fee_included: false },
          ...{ complete: true, assets: [] },
        },
        /Balances are not known\. The report is about another account\./,
      ],
    ])("shows no balances, and why: %s", async (_, balances, line) => {
      const { owner, agent } = await makeScene(harness());
      const requestHash = await tokenPayment(agent);
      const visit = await harness().visit({ owner, screen: "phone" });
      if (balances !== undefined) await withBalances(visit.page, balances);
      await visit.goto(`/transactions/${requestHash}`);
      await visit.page.getByText(line).waitFor();
      expect(await visit.page.getByRole("region", { name: "Balances", exact: true }).count()).toBe(0);
      expect(await visit.axe()).toEqual([]);
      await visit.close();
    });

    test.each([
      [undefined, "Matches, but gives unlimited access", /can take up to: unlimited USDC, until revoked/],
      [100_000_000n, "Matches, but gives access to your tokens", /can take up to: 100 USDC, until revoked/],
    ])("shows access as outflow, in amber, although it matches: %s", async (units, headline, line) => {
      const { owner, agent } = await makeScene(harness());
      // Of an account whose proposals are approved by the owner, so that the check result decides nothing.
      const requestHash = await tokenApproval(agent, units);
      const visit = await harness().visit({ owner, screen: "phone", scheme: "dark" });
      const { page } = visit;
      await visit.goto(`/transactions/${requestHash}`);
      await heading(page, headline).waitFor();
      const does = page.getByRole("region", { name: "What it does" });
      expect(await does.innerText()).toMatch(/Nothing now\s+Can be taken later, up to/);
      expect(await page.locator("main").innerText()).not.toMatch(/\b0 ETH\b/);
      expect(await page.getByRole("region", { name: "Verdict" }).getAttribute("class")).toContain(
        "border-open",
      );
      await begin(visit, "Approve");
      expect(await page.getByRole("dialog").innerText()).toMatch(line);
      expect(await button(page, "Continue in wallet").isDisabled()).toBe(true);
      await page.getByRole("checkbox", { name: /I understand that 0x3bfa47…7ae48e can take/i }).click();
      expect(await button(page, "Continue in wallet").isEnabled()).toBe(true);
      expect(await visit.axe()).toEqual([]);
      await visit.close();
    });

    test("keeps the buttons in view on a small phone, also below the longest review", async () => {
      const { owner, agent } = await makeScene(harness());
      const requestHash = await tokenApproval(agent);
      const visit = await harness().visit({ owner, screen: "phone" });
      const { page } = visit;
      const height = 568;
      await page.setViewportSize({ width: 320, height });
      await visit.goto(`/transactions/${requestHash}`);
      await begin(visit, "Approve");
      const dialog = page.getByRole("dialog");
      const inView = async (name: string): Promise<void> => {
        const wanted = button(page, name);
        await wanted.waitFor();
        // The dialog scrolls when its content changes.
        await vi.waitFor(async () => {
          const box = await wanted.boundingBox();
          expect([name, (box?.y ?? -1) >= 0, (box?.y ?? 0) + (box?.height ?? 0) <= height]).toEqual([
            ...[name, true, true],
          ]);
        });
        // Nothing covers it.
        await wanted.click({ trial: true });
      };
      await inView("Cancel");
      // All of it can be reached by scrolling, and the buttons stay.
      const { scrolls, isWide } = await dialog.evaluate((element) => {
        element.scrollTo({ top: element.scrollHeight });
        return { scrolls: element.scrollTop > 0, isWide: element.scrollWidth > element.clientWidth };
      });
      expect([scrolls, isWide]).toEqual([true, false]);
      await page.getByRole("checkbox", { name: /I understand/ }).tap();
      await inView("Continue in wallet");
      await button(page, "Continue in wallet").tap();
      await page.getByText("Recorded at").waitFor();
      await inView("Close");
      await visit.close();
    });

    test("says what it does in the tab and the heading, before and after it was sent", async () => {
      const { owner, agent } = await makeScene(harness());
      const requestHash = await payment(agent);
      await owner.client.approve(requestHash);
      await owner.client.waitForStatus(requestHash, ["APPROVED"]);
      const visit = await harness().visit({ owner });
      const { page } = visit;
      await visit.goto(`/transactions/${requestHash}`);
      await heading(page, "Approved. Send it with your wallet.").waitFor();
      await openWallet(visit);
      await page.getByRole("button", { name: /^Send with / }).click();
      await heading(page, "Approved. Send it with your wallet.").waitFor({ state: "detached" });
      await page
        .getByText(/Sent by your wallet|In a block|Executed/)
        .first()
        .waitFor();
      expect(await page.title()).toMatch(/^Send 0\.01 ETH to 0x742d35.*38f44e · Countersign$/i);
      expect(await page.locator("h1").innerText()).toMatch(/^Send 0\.01 ETH/);
      await visit.close();
    });

    test("reviews, signs, sends and ends in one dialog, with the buttons in view", async () => {
      const { owner, agent } = await makeScene(harness());
      const requestHash = await payment(agent);
      const visit = await harness().visit({ owner, screen: "phone" });
      const { page } = visit;
      await visit.goto(`/transactions/${requestHash}`);
      await begin(visit, "Approve");
      const step = page.getByRole("list", { name: "Steps of the approval" }).locator("[aria-current=step]");
      expect(await step.innerText()).toBe("Review");
      const go = button(page, "Continue in wallet");
      // On a phone no scrolling is needed to reach the button.
      const box = await go.boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(740);
      await go.tap();
      await step.getByText("Send", { exact: true }).waitFor();
      await page.getByText("Recorded at").waitFor();
      const send = page.getByRole("dialog").getByRole("button", { name: /^Send with / });
      await send.tap();
      await step.getByText("Done", { exact: true }).waitFor();
      expect(await page.getByRole("dialog").innerText()).toMatch(/Sent by your wallet|In a block|Executed/);
      await page.getByRole("dialog").getByRole("link", { name: "View in explorer" }).waitFor();
      await button(page, "Close").tap();
      // The title no longer asks for what is done.
      expect(await page.getByText("Approved. Send it with your wallet.").count()).toBe(0);
      await heading(page, "Executed").waitFor({ timeout: 120_000 });
      expect(visit.complaints).toEqual([]);
      await visit.close();
    });
  });
};
