import { expect, test } from "vitest";
import { sumSpending, type Executed } from "./spending.ts";

const token = `0x${"C0".repeat(20)}`;
const usdc = (units: string) => ({
  ...{ kind: "token", symbol: "USDC", address: token, units, decimals: 6 },
});
const paid = (...gives: readonly object[]): readonly object[] => [{ payer: "self", gives }];
const one = (changes: Partial<Executed> = {}): Executed => ({
  ...{ day: "2026-11-18", chainId: 1, by: "mandate", effects: paid(usdc("5000000")) },
  ...changes,
});

test("sums amounts by day, asset and approval, oldest first", () => {
  const { spent, uncounted } = sumSpending([
    one(),
    one({ effects: paid(usdc("1"), usdc("2")) }),
    one({ by: "owner" }),
    one({ day: "2026-11-17" }),
    one({
      effects: paid({ kind: "native", symbol: "ETH", units: "7", decimals: 18 }),
      chainId: 8453,
    }),
  ]);
  expect(uncounted).toBe(0);
  expect(spent.map(({ day, by, asset, units, count }) => [day, by, asset, units, count])).toEqual([
    ["2026-11-17", "mandate", `eip155:1/erc20:${token.toLowerCase()}`, 5_000_000n, 1],
    ["2026-11-18", "mandate", `eip155:1/erc20:${token.toLowerCase()}`, 5_000_003n, 2],
    ["2026-11-18", "mandate", "eip155:8453/native", 7n, 1],
    ["2026-11-18", "owner", `eip155:1/erc20:${token.toLowerCase()}`, 5_000_000n, 1],
  ]);
});

test("does not count what another account pays, or an allowance", () => {
  const effects = [
    { payer: `0x${"11".repeat(20)}`, gives: [usdc("5")] },
    { payer: "self", gives: [], authority: { spender: token, units: "9" } },
  ];
  expect(sumSpending([one({ effects })])).toEqual({ spent: [], uncounted: 0 });
});

test.each([
  ["without a report", null],
  ["with an unreadable report", "effects"],
  ["with an unknown amount", paid({ ...usdc("1"), units: null })],
  ["with an asset without a unit", paid({ ...usdc("1"), kind: "nft" })],
])("counts a transaction %s as uncounted", (_, effects) => {
  expect(sumSpending([one({ effects })])).toEqual({ spent: [], uncounted: 1 });
});
