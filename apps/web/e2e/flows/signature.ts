import type { Page } from "playwright-core";
import { describe, expect, test, vi } from "vitest";
import type { Harness } from "../harness.ts";
import { makeScene, payment } from "./proposals.ts";

const valid = "Verdict is signed: Matches";

/** Prepares a visit to a payment that matches. */
async function makeVisit(harness: Harness) {
  const { owner, agent } = await makeScene(harness);
  const requestHash = await payment(agent);
  const visit = await harness.visit({ owner });
  return { visit, page: visit.page, path: `/transactions/${requestHash}` };
}

/** Triggers the refetch of a page that becomes visible again. */
const lookAgain = (page: Page): Promise<unknown> =>
  page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));

export const signatureFlows = (harness: () => Harness): void => {
  describe("the verdict's signature", () => {
    test("is checked in a worker, once per distinct receipt", async () => {
      const { visit, page, path } = await makeVisit(harness());
      let workers = 0;
      page.on("worker", () => (workers += 1));
      const receipts: string[] = [];
      page.on("response", async (answer) => {
        if (answer.url().endsWith(`${path}/receipt`)) receipts.push(await answer.text().catch(() => "lost"));
      });
      await visit.goto(path);
      await page.getByText(valid).waitFor();
      const isReadTwice = async (): Promise<boolean> => {
        await lookAgain(page);
        return new Set(receipts).size < receipts.length;
      };
      await vi.waitUntil(isReadTwice, { timeout: 60_000, interval: 100 });
      // Long enough for another check to start.
      await page.waitForTimeout(500);
      expect(workers).toBeGreaterThan(0);
      expect(workers).toBeLessThanOrEqual(new Set(receipts).size);
      expect(visit.complaints).toEqual([]);
      await visit.close();
    });

    test("is checked on the main thread if the worker fails to load", async () => {
      const { visit, page, path } = await makeVisit(harness());
      await page.route("**/assets/verify.worker-*", (route) => route.abort());
      await visit.goto(path);
      await page.getByText(valid).waitFor();
      await visit.close();
    });

    test("is not valid for a report that was changed in transit", async () => {
      const { visit, page, path } = await makeVisit(harness());
      await visit.context.route(`**/api${path}/receipt`, async (route) => {
        const answer = await route.fetch();
        const text = await answer.text();
        expect(text).toContain("ETH");
        await route.fulfill({ response: answer, body: text.replace(/ETH(?!.*ETH)/s, "USD") });
      });
      await visit.goto(path);
      await page.getByText("The signed verdict isn’t valid").waitFor();
      expect(await page.getByText("Verdict is signed").count()).toBe(0);
      await visit.close();
    });
  });
};
