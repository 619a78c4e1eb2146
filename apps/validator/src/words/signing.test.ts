/** Signed requests: authorised payments, counts of payments, allowances that the next step takes. */
import { describe, expect, test } from "vitest";
import { A, B, summary } from "../../test/words.ts";

describe("an authorised payment is a payment, and a permission to spend is not", () => {
  test.each([`authorise a 5 USDC payment to ${A}`, `x402 payment: authorize 5 USDC to ${A}`])(
    "%s",
    (text) => {
      expect(summary(text)).toBe("transfer · give 5 USDC · to 0x11");
    },
  );
  test("a permission", () => {
    expect(summary(`authorise ${A} to spend 5 USDC for payments`)).toMatch(/^approve/);
  });
});

describe("how many payments there are is no amount", () => {
  test.each(["Two payments: {A}", "Zwei Auszahlungen: {A}"])("%s", (text) => {
    const rows = `50 USDC ${text.startsWith("Z") ? "an" : "to"} ${A} ${text.startsWith("Z") ? "und" : "and"} 20 USDC ${text.startsWith("Z") ? "an" : "to"} ${B}`;
    expect(summary(text.replace("{A}", rows))).toBe(
      "transfer · give 50 USDC · to 0x11 ; transfer · give 20 USDC · to 0x22",
    );
  });
  test("unless it multiplies one", () => {
    expect(summary(`three payments of 50 USDC to ${A}`)).not.toBe("transfer · give 50 USDC · to 0x11");
  });
});

describe("an allowance is the amount that the next step takes", () => {
  test("it", () => {
    expect(summary("Approve 5 WETH to Aave v3, then supply it")).toMatch(/; supply.* · give 5 WETH/);
  });
});
