import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import type { Harness } from "../harness.ts";
import { makeScene, payment } from "./proposals.ts";

const holds = "Verdict is signed: Matches";

/** Somebody who is about to look at a payment that passed. */
async function makeVisit(harness: Harness) {
  const { owner, agent } = await makeScene(harness);
  const requestHash = await payment(agent);
  const visit = await harness.visit({ owner });
  return { visit, page: visit.page, path: `/transactions/${requestHash}` };
}

/** Whoever comes back to a page has everything read again that is some seconds old. */
const lookAgain = (page: Page): Promise<unknown> =>
  page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));

export const signatureFlows = (harness: () => Harness): void => {
  describe("the arbiter's signature", () => {
    test("is checked beside the page, and not again when the receipt says the same again", async () => {
      const { visit, page, path } = await makeVisit(harness());
      let workers = 0;
      page.on("worker", () => (workers += 1));
      const receipts: string[] = [];
      page.on("response", async (answer) => {
        if (answer.url().endsWith(`${path}/receipt`)) receipts.push(await answer.text().catch(() => "lost"));
      });
      await visit.goto(path);
      await page.getByText(holds).waitFor();
      const isReadTwice = async (): Promise<boolean> => {
        await lookAgain(page);
        return new Set(receipts).size < receipts.length;
      };
      await expect.poll(isReadTwice, { timeout: 60_000 }).toBe(true);
      // As long as another check would take to begin.
      await page.waitForTimeout(500);
      expect(workers).toBeGreaterThan(0);
      expect(workers).toBeLessThanOrEqual(new Set(receipts).size);
      expect(visit.complaints).toEqual([]);
      await visit.close();
    });

    test("is checked by the page itself where there is nobody beside it", async () => {
      const { visit, page, path } = await makeVisit(harness());
      await page.route("**/assets/verify.worker-*", (route) => route.abort());
      await visit.goto(path);
      await page.getByText(holds).waitFor();
      await visit.close();
    });

    test("does not hold for a report of which one word was changed on its way", async () => {
      const { visit, page, path } = await makeVisit(harness());
      await visit.context.route(`**/api${path}/receipt`, async (route) => {
        const answer = await route.fetch();
        const text = await answer.text();
        expect(text).toContain("ETH");
        await route.fulfill({ response: answer, body: text.replace(/ETH(?!.*ETH)/s, "USD") });
      });
      await visit.goto(path);
      await page.getByText("The signed verdict does not hold").waitFor();
      expect(await page.getByText("Verdict is signed").count()).toBe(0);
      await visit.close();
    });
  });
};
