import fc from "fast-check";
import { expect, test } from "vitest";
import { worthOf } from "./price.ts";

const one = 10n ** 18n;
const prices = new Map([
  ["eth", { usd: 3_000n * one }],
  ["usdc", { usd: one }],
]);
const eth = (units: bigint) => ({ asset: "eth", units, decimals: 18 });
const usdc = (units: bigint) => ({ asset: "usdc", units, decimals: 6 });

test("adds what the amounts are worth, in the places of the limit", () => {
  expect(worthOf([eth(one / 2n), usdc(250_000n)], prices, 2)).toEqual({ worth: 150_025n });
});

test("rounds up: a tenth of a cent counts as a cent, and nothing as nothing", () => {
  expect(worthOf([usdc(1_000n)], prices, 2)).toEqual({ worth: 1n });
  expect(worthOf([usdc(10_001n)], prices, 2)).toEqual({ worth: 2n });
  expect(worthOf([usdc(0n)], prices, 2)).toEqual({ worth: 0n });
});

test("names the asset without a price, also if its amount is zero, and one without decimals", () => {
  expect(worthOf([usdc(1n), { asset: "shib", units: 0n, decimals: 18 }], prices, 2)).toEqual({
    unpriced: "shib",
  });
  expect(worthOf([{ asset: "eth", units: 1n, decimals: null }], prices, 2)).toEqual({ unpriced: "eth" });
});

test("never counts less than the exact worth, and less than one more per amount", () => {
  const amount = fc.record({
    asset: fc.constantFrom("eth", "usdc"),
    units: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
    decimals: fc.integer({ min: 0, max: 36 }),
  });
  fc.assert(
    fc.property(fc.array(amount, { maxLength: 5 }), fc.integer({ min: 0, max: 18 }), (amounts, places) => {
      const counted = worthOf(amounts, prices, places);
      if (!("worth" in counted)) throw new Error("each has a price");
      // Exact, with a common divisor.
      const divisor = 10n ** 54n;
      const exact = amounts.reduce(
        (sum, { asset, units, decimals }) =>
          sum + units * (prices.get(asset)?.usd ?? 0n) * 10n ** BigInt(places + 36 - decimals),
        0n,
      );
      expect(counted.worth * divisor >= exact).toBe(true);
      expect((counted.worth - BigInt(amounts.length)) * divisor <= exact).toBe(true);
    }),
  );
});
