import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromUnits, showDecimal, toNumber, toUnits, within } from "./decimals.ts";

describe("toUnits", () => {
  test.each([
    ["1 with 6 decimals", { digits: 1n, scale: 0 }, 6, 1_000_000n],
    ["1.50 with 6 decimals", { digits: 150n, scale: 2 }, 6, 1_500_000n],
    ["all the places the asset has", { digits: 1n, scale: 6 }, 6, 1n],
    ["one place too many that is zero", { digits: 10n, scale: 7 }, 6, 1n],
    ["one place too many that is not zero", { digits: 1n, scale: 7 }, 6, null],
    ["half an NFT", { digits: 5n, scale: 1 }, 0, null],
    ["two NFTs written as 2.0", { digits: 20n, scale: 1 }, 0, 2n],
    ["a negative scale, as in 1e18", { digits: 1n, scale: -18 }, 0, 10n ** 18n],
    ["a shift of 400 places", { digits: 1n, scale: 0 }, 400, 10n ** 400n],
    ["a shift of 401 places, too large to compute", { digits: 1n, scale: 0 }, 401, null],
    ["zero with 400 places too many", { digits: 0n, scale: 400 }, 0, 0n],
    ["zero with 401 places too many", { digits: 0n, scale: 401 }, 0, null],
  ])("%s", (_, decimal, decimals, units) => {
    expect(toUnits(decimal, decimals)).toBe(units);
  });
});

test.each([
  [{ digits: 150n, scale: 2 }, 1.5],
  [{ digits: 3n, scale: -2 }, 300],
])("toNumber of %o is %d", (decimal, number) => {
  expect(toNumber(decimal)).toBe(number);
});

describe("fromUnits", () => {
  test.each([
    [1_500_000n, 6, "1.5"],
    [1n, 6, "0.000001"],
    [0n, 6, "0"],
    [1_000_000n, 6, "1"],
    [100n, 0, "100"],
    [999n, 0, "999"],
    [1000n, 0, "1,000"],
    [1_234_567n, 0, "1,234,567"],
    [12_345_678_900_000n, 6, "12,345,678.9"],
    [-1_500_000n, 6, "-1.5"],
    [-2_000n, 0, "-2,000"],
    [10_050n, 4, "1.005"],
  ])("%d with %d decimals is %s", (units, decimals, text) => {
    expect(fromUnits(units, decimals)).toBe(text);
  });
  test("is the inverse of toUnits", () => {
    fc.assert(
      fc.property(
        fc.bigInt(-(10n ** 30n), 10n ** 30n),
        fc.integer({ min: 0, max: 24 }),
        (units, decimals) => {
          const [whole = "", fraction = ""] = fromUnits(units, decimals).replaceAll(",", "").split(".");
          const parsed = { digits: BigInt(whole.replace("-", "") + fraction), scale: fraction.length };
          const size = toUnits(parsed, decimals);
          expect(whole.startsWith("-") ? -(size ?? 0n) : size).toBe(units);
        },
      ),
    );
  });
});

test.each([
  [{ digits: 150n, scale: 2 }, "1.5"],
  [{ digits: 15n, scale: 0 }, "15"],
  [{ digits: 2n, scale: -3 }, "2,000"],
])("showDecimal of %o is %s", (decimal, text) => {
  expect(showDecimal(decimal)).toBe(text);
});

describe("within", () => {
  test.each([
    ["equal", 1000n, 1000n, 0n, true],
    ["one above with no slack", 1001n, 1000n, 0n, false],
    ["one below with no slack", 999n, 1000n, 0n, false],
    ["exactly 2 % above", 1020n, 1000n, 200n, true],
    ["one unit more than 2 % above", 1021n, 1000n, 200n, false],
    ["exactly 2 % below", 980n, 1000n, 200n, true],
    ["one unit more than 2 % below", 979n, 1000n, 200n, false],
    ["anything of zero", 1n, 0n, 200n, false],
    ["zero of zero", 0n, 0n, 200n, true],
  ])("%s", (...[, a, b, bps, holds]) => {
    expect(within(a, b, bps)).toBe(holds);
  });
});
