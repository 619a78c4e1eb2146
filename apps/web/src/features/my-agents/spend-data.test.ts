import { expect, test } from "vitest";
import { allSeries, amountIn, dailyLimit, roundUp, sumOfDay } from "./spend-data.ts";

const usdc = "eip155:8453/erc20:0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";
const spent = { asset: usdc, symbol: "USDC", decimals: 6, count: 1 } as const;
const now = new Date("2026-11-18T01:00:00Z");
const spending = [
  { ...spent, day: "2026-11-17", by: "mandate", units: "5000000" },
  { ...spent, day: "2026-11-17", by: "owner", units: "1" },
  { ...spent, day: "2026-11-18", by: "service", units: "2" },
  {
    ...spent,
    day: "2026-11-18",
    by: "owner",
    asset: "eip155:1/native",
    symbol: "ETH",
    decimals: 18,
    units: "7",
  },
] as const;

test("fills days without spending, and puts the most used asset first", () => {
  const [first, second] = allSeries([...spending], now, 3);
  expect(first).toMatchObject({ name: "USDC on Base", total: 5_000_003n, count: 3 });
  expect(first?.days.map((day) => [day.day, sumOfDay(day)])).toEqual([
    ["2026-11-16", 0n],
    ["2026-11-17", 5_000_001n],
    ["2026-11-18", 2n],
  ]);
  expect(second?.name).toBe("ETH on Ethereum");
});

test("shows exact amounts, also of tokens without decimals", () => {
  expect(amountIn({ decimals: 6 }, 1_234_500_000n)).toBe("1,234.5");
  expect(amountIn({ decimals: 0 }, 3n)).toBe("3");
});

test.each([
  [0n, 1n],
  [1n, 1n],
  [3n, 5n],
  [51n, 100n],
  [600n, 1000n],
])("rounds %s up to %s for the axis", (units, round) => {
  expect(roundUp(units)).toBe(round);
});

test("finds the limit per day in base units", () => {
  const [series] = allSeries([...spending], now, 3);
  const limit = { measure: usdc, span: "period", seconds: 86_400, most: "500.25" } as const;
  if (series === undefined) throw new Error("no series");
  expect(dailyLimit(series, [{ ...limit, seconds: 3600 }, limit])).toBe(500_250_000n);
  expect(dailyLimit(series, [{ ...limit, measure: "usd" }])).toBeUndefined();
});
