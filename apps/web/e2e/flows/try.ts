import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { press } from "../hands.ts";
import { screens, sights, type Harness } from "../harness.ts";

const verdictHeading = (page: Page) =>
  page.getByRole("region", { name: "Verdict" }).getByRole("heading", { level: 2 });

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

    test.each(sights)("shows the verdict without scrolling: $screen, $scheme", async (sight) => {
      const visit = await harness().visit(sight);
      const { page } = visit;
      await visit.goto("/try");
      await page.getByRole("button", { name: /^Unlimited approval/ }).click();
      await page.getByRole("button", { name: "Check", exact: true }).click();
      await verdictHeading(page).waitFor();
      await page.waitForTimeout(300);
      const box = await verdictHeading(page).boundingBox();
      expect(box?.y).toBeGreaterThanOrEqual(0);
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(screens[sight.screen].height);
      await visit.close();
    });

    test("shows no field or check name of the interface, in any example", async () => {
      const visit = await harness().visit();
      const { page } = visit;
      for (const example of [/^Plain payment/, /^Unlimited approval/, /^Takeover/]) {
        await visit.goto("/try");
        await page.getByRole("button", { name: example }).click();
        await page.getByRole("button", { name: "Check", exact: true }).click();
        await verdictHeading(page).waitFor();
        const shut = page.getByRole("region", { name: "Result" }).locator("button[aria-expanded=false]");
        for (; (await shut.count()) > 0;) await shut.first().click();
        const text = await page.getByRole("region", { name: "Result" }).innerText();
        // Function and type names of contracts are facts; names of our own interface are not.
        const leaked =
          text.match(/\b(?:[a-z]+_)+[a-z]+\b|\b(?:tx|userPrompt|human_intent|proposed_tx)\b/g) ?? [];
        expect(leaked).toEqual([]);
      }
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

    test("fills the form from a shared link, which the server never sees", async () => {
      const visit = await harness().visit();
      const { page } = visit;
      await visit.goto("/try");
      await page.getByRole("button", { name: /^Plain payment/ }).click();
      await page.getByRole("button", { name: "Check", exact: true }).click();
      await verdictHeading(page).waitFor();
      await page.getByRole("button", { name: "Copy a link to this check" }).click();
      await page.getByRole("button", { name: "Copy a link to this check: copied" }).waitFor();
      // The pages may not read the clipboard, so paste it as a user would.
      const field = page.getByRole("textbox", { name: "What you asked" });
      await field.fill("");
      await field.press("ControlOrMeta+V");
      const link = await field.inputValue();
      expect(link).toMatch(/^http.*\/try#1\./);
      const asked: string[] = [];
      page.on("request", (request) => asked.push(request.url()));
      await page.goto("about:blank");
      await page.goto(link);
      await page.getByRole("heading", { name: "Try a check" }).waitFor();
      expect(await page.getByLabel("To", { exact: true }).inputValue()).toMatch(/^0x742d/);
      expect(asked.filter((url) => url.includes("validate"))).toEqual([]);
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
