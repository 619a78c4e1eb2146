import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lexNumber, sameDecimal } from "./numbers.ts";
import { A, decimalText, lexicon, summary } from "../../test/words.ts";
import { readWords } from "./read-words.ts";

const readings = (text: string, mark: "," | "." = "."): string | null => {
  const found = lexNumber(text, 0, mark);
  if (found === null || found.read.absurd === true || found.end !== text.length) return null;
  return [found.read.n, ...found.read.others].map(decimalText).join("|");
};

describe("a number in English", () => {
  test.each([
    ["1500", "1500"],
    ["1,500", "1500"],
    ["1,500.25", "1500.25"],
    ["1,234,567", "1234567"],
    ["1_500", "1500"],
    ["1 500", "1500"],
    ["12 345 678", "12345678"],
    [".5", "0.5"],
    ["0.05", "0.05"],
    ["1.5k", "1500"],
    ["2M", "2000000"],
    ["3mm", "3000000"],
    ["1bn", "1000000000"],
    ["1e18", "1000000000000000000"],
    ["2.5e-3", "0.0025"],
    ["½", "0.5"],
    ["1½", "1.5"],
    ["1/4", "0.25"],
    ["2 1/2", "2.5"],
    ["1'000'000", "1000000"],
    ["0,5", "0.5"],
    ["1.234", "1.234"],
    ["1.000,50", "1000.5"],
  ])("%s has one reading", (text, expected) => {
    expect(readings(text)).toBe(expected);
  });

  test.each([
    ["1.000", "1|1000"],
    ["1.500", "1.5|1500"],
    ["1,5", "1.5|15"],
    ["1.000,500", "1000.5|1.0005"],
    ["1k5", "1500|1005"],
  ])("%s has two", (text, expected) => {
    expect(readings(text)).toBe(expected);
  });

  test.each(["1.2.3", "1,2,3", "9".repeat(200)])("%s has none", (text) => {
    expect(readings(text)).toBeNull();
  });
});

describe("a number where fractions follow a comma", () => {
  test.each([
    ["1,5", "1.5"],
    ["1.500", "1500|1.5"],
    ["1.500,25", "1500.25"],
    ["0.5", "0.5"],
    ["1,500", "1.5|1500"],
  ])("%s", (text, expected) => {
    expect(readings(text, ",")).toBe(expected);
  });
});

describe("numbers in words", () => {
  test.each([
    ["fifteen hundred", "1500"],
    ["two hundred and fifty thousand", "250000"],
    ["one and a half", "1.5"],
    ["half a million", "500000"],
    ["a thousand", "1000"],
    ["twenty-five", "25"],
    ["three quarters of an", "0.75"],
    ["2 million", "2000000"],
    ["5 k", "5000"],
  ])("%s", (words, expected) => {
    expect(summary(`send ${words} ETH to ${A}`)).toBe(`transfer · give ${expected} ETH · to 0x11`);
  });
});

test("any amount an encoder prints is read back exactly", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 10n ** 30n }), fc.integer({ min: 0, max: 18 }), (digits, scale) => {
      const text = decimalText({ digits, scale });
      const step = readWords(`send ${text} ETH to ${A}`, lexicon).steps[0];
      const quantity = step?.gives[0]?.quantity;
      return quantity?.kind === "exact" && sameDecimal(quantity.n, { digits, scale });
    }),
  );
});
