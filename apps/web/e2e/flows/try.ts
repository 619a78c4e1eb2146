import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { press } from "../hands.ts";
import type { Harness } from "../harness.ts";

const verdictHeading = (page: Page) => page.getByRole("region", { name: "Verdict" }).getByRole("heading");

export const tryFlows = (harness: () => Harness): void => {
  describe("trying a check", () => {
    test("checks the examples by keyboard, without an account, and keeps the URL clean", async () => {
      const visit = await harness().visit();
      const { page } = visit;
      await visit.goto("/try");
      const expected = [
        [/^Plain payment/, "Matches what you asked"],
        [/^Unlimited approval/, /Differs from what you asked|Blocked for safety/],
      ] as const;
      for (const [example, headline] of expected) {
        await page.getByRole("heading", { name: "Try a check" }).waitFor();
        await press(visit, page.getByRole("button", { name: example }));
        await press(visit, page.getByRole("button", { name: "Check", exact: true }));
        await verdictHeading(page).filter({ hasText: headline }).waitFor();
        // Focus moves to the result for screen readers.
        expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Result");
      }
      expect(new URL(page.url()).search + new URL(page.url()).hash).toBe("");
      expect(await visit.context.cookies()).toEqual([]);
      expect(visit.complaints).toEqual([]);
      await visit.close();
    });

    test("shows an error at each invalid field, sends nothing, and focuses the first", async () => {
      const visit = await harness().visit({ screen: "phone" });
      const { page } = visit;
      const sent: string[] = [];
      page.on("request", (request) => {
        if (request.url().includes("/public/validate")) sent.push(request.url());
      });
      await visit.goto("/try");
      await page.getByLabel("Value").fill("0,05");
      await page.getByLabel("Data").fill("0xabc");
      await page.getByRole("button", { name: "Check", exact: true }).click();
      for (const label of ["What you asked", "To", "Value", "Data"])
        expect(await page.getByLabel(label, { exact: true }).getAttribute("aria-invalid")).toBe("true");
      await page.waitForFunction(() => document.activeElement?.getAttribute("name") === "words");
      await page.keyboard.type("Send 1 ETH");
      expect(await page.getByLabel("What you asked").getAttribute("aria-invalid")).toBeNull();
      expect(await visit.axe()).toEqual([]);
      expect(sent).toEqual([]);
      await visit.close();
    });

    test.each([
      [429, "Too many checks", /Try again in 42 seconds/],
      [503, "The verification service isn’t reachable", /Your input is fine/],
    ])("says that there is no result: %i", async (status, title, told) => {
      const visit = await harness().visit();
      const { page } = visit;
      await page.route("**/api/public/validate", (route) =>
        route.fulfill({
          status,
          headers: { "retry-after": "42" },
          json: { statusCode: status, message: "no", error: "no" },
        }),
      );
      await visit.goto("/try");
      await page.getByRole("button", { name: /^Plain payment/ }).click();
      await page.getByRole("button", { name: "Check", exact: true }).click();
      const notice = page.getByRole("alert");
      await notice.getByText(title).waitFor();
      expect(await notice.innerText()).toMatch(told);
      expect(await verdictHeading(page).count()).toBe(0);
      expect(await page.getByLabel("To", { exact: true }).inputValue()).toMatch(/^0x742d/);
      await visit.close();
    });

    test("marks a result as outdated when the form changes", async () => {
      const visit = await harness().visit();
      const { page } = visit;
      await visit.goto("/try");
      await page.getByRole("button", { name: /^Plain payment/ }).click();
      await page.getByRole("button", { name: "Check", exact: true }).click();
      await verdictHeading(page).waitFor();
      const outdated = page.getByText("This result is for your earlier input");
      expect(await outdated.count()).toBe(0);
      await page.getByLabel("Value").fill("50");
      await outdated.waitFor();
      await visit.close();
    });
  });
};
