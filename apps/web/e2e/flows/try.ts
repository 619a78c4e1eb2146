import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { press } from "../hands.ts";
import type { Harness } from "../harness.ts";

const verdictHeading = (page: Page) => page.getByRole("region", { name: "Verdict" }).getByRole("heading");

export const tryFlows = (harness: () => Harness): void => {
  describe("trying it", () => {
    test("judges the examples by keyboard alone, without an account, and puts nothing into the address", async () => {
      const visit = await harness().visit();
      const { page } = visit;
      await visit.goto("/try");
      const expected = [
        [/^A plain payment/, "Matches what you asked"],
        [/^An approval without limit/, /Differs from what you asked|Blocked for safety/],
      ] as const;
      for (const [example, headline] of expected) {
        await page.getByRole("heading", { name: "Try a verdict" }).waitFor();
        await press(visit, page.getByRole("button", { name: example }));
        await press(visit, page.getByRole("button", { name: "Compare" }));
        await verdictHeading(page).filter({ hasText: headline }).waitFor();
        // Whoever does not see it is taken there.
        expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe(
          "The answer",
        );
      }
      expect(new URL(page.url()).search + new URL(page.url()).hash).toBe("");
      expect(await visit.context.cookies()).toEqual([]);
      expect(visit.complaints).toEqual([]);
      await visit.close();
    });

    test("says at each field what is wrong with it, sends nothing, and goes to the first", async () => {
      const visit = await harness().visit({ screen: "phone" });
      const { page } = visit;
      const sent: string[] = [];
      page.on("request", (request) => {
        if (request.url().includes("/public/validate")) sent.push(request.url());
      });
      await visit.goto("/try");
      await page.getByLabel("Value").fill("0,05");
      await page.getByLabel("Data").fill("0xabc");
      await page.getByRole("button", { name: "Compare" }).click();
      for (const label of ["What was asked, in words", "To", "Value", "Data"])
        expect(await page.getByLabel(label, { exact: true }).getAttribute("aria-invalid")).toBe("true");
      await page.waitForFunction(() => document.activeElement?.getAttribute("name") === "words");
      await page.keyboard.type("Send 1 ETH");
      expect(await page.getByLabel("What was asked, in words").getAttribute("aria-invalid")).toBeNull();
      expect(await visit.axe()).toEqual([]);
      expect(sent).toEqual([]);
      await visit.close();
    });

    test.each([
      [429, "Too many in a short time", /Try again in 42 seconds/],
      [503, "The arbiter cannot be reached right now", /Nothing is wrong with what you entered/],
    ])("says plainly that there is no verdict: %i", async (status, title, told) => {
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
      await page.getByRole("button", { name: /plain payment/ }).click();
      await page.getByRole("button", { name: "Compare" }).click();
      const notice = page.getByRole("alert");
      await notice.getByText(title).waitFor();
      expect(await notice.innerText()).toMatch(told);
      expect(await verdictHeading(page).count()).toBe(0);
      expect(await page.getByLabel("To", { exact: true }).inputValue()).toMatch(/^0x742d/);
      await visit.close();
    });

    test("does not let an answer pass for the answer to what stands in the form now", async () => {
      const visit = await harness().visit();
      const { page } = visit;
      await visit.goto("/try");
      await page.getByRole("button", { name: /plain payment/ }).click();
      await page.getByRole("button", { name: "Compare" }).click();
      await verdictHeading(page).waitFor();
      const outdated = page.getByText("This is the answer to what you sent before");
      expect(await outdated.count()).toBe(0);
      await page.getByLabel("Value").fill("50");
      await outdated.waitFor();
      await visit.close();
    });
  });
};
