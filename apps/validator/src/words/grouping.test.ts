/** Whether "1.500" is fifteen hundred or one and a half. */
import { describe, expect, test } from "vitest";
import { A, summary } from "../../test/words.ts";

describe("in a text that is plainly German, Portuguese, Spanish or French a dot groups thousands", () => {
  test.each([
    ["de", `Überweise 1.500 USDC an ${A}`],
    ["pt", `Transfira 1.500 USDC para ${A}`],
    ["es", `Transfiere 1.500 USDC a ${A}`],
    ["fr", `Vire 1.500 USDC à ${A}`],
    ["es, by its verb", "Vende 1.500 USDC por al menos 3,17 WETH"],
  ])("%s", (_, text) => {
    expect(summary(text)).toContain("give 1500 USDC");
  });
  test("a comma begins the fraction there", () => {
    expect(summary(`Überweise 1.500,50 USDC an ${A}`)).toContain("give 1500.5 USDC");
    expect(summary(`Transfira 1,5 USDC para ${A}`)).toContain("give 1.5 USDC");
  });
});

describe("both readings stay", () => {
  test.each([
    ["in English", `Send 1.500 USDC to ${A}`],
    ["where no word shows the language", `1.500 USDC ${A}`],
    ["in a mixture with English", `Transfiere please 1.500 USDC to ${A}`],
    ["of a coin, which screens write with a dot", `Überweise 1.500 WETH an ${A}`],
    ["next to a fraction after a dot", `Überweise 1.500 USDC und 0.5 WETH an ${A}`],
    ["next to thousands after a comma", `Überweise 1.500 USDC und 2,000 DAI an ${A}`],
  ])("%s", (_, text) => {
    expect(summary(text)).toMatch(/1500\|1\.5|1\.5\|1500/);
  });
});
