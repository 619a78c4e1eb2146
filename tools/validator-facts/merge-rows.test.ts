import { describe, expect, test } from "vitest";
import { mergeRows } from "./merge-rows.ts";
import type { Row } from "./read-sources.ts";

const aRow = (given: Partial<Row> = {}): Row => ({
  chain: 1,
  address: `0x${"1".repeat(40)}`,
  symbol: "AUSDC",
  decimals: 6,
  from: "ledger",
  ...given,
});

describe("mergeRows", () => {
  test("one token has one row, spelt as its contract spells it", () => {
    const aave = aRow({ symbol: "aUSDC", from: "aave" });
    expect(mergeRows([aRow(), aave]).rows).toEqual([aave]);
    const other = aRow({ symbol: "USDC", from: "aave" });
    expect(mergeRows([aRow(), other]).rows).toEqual([aRow()]);
  });

  test("believes neither source where they differ on decimals", () => {
    const { rows, dropped } = mergeRows([aRow(), aRow({ decimals: 18, from: "aave" })]);
    expect(rows).toEqual([]);
    expect(dropped).toMatchObject([{ why: "sources differ on decimals" }]);
  });

  test.each([
    { address: "0x1" },
    { decimals: 37 },
    { decimals: 1.5 },
    { symbol: "" },
    { symbol: "UЅDC" },
    { symbol: "A B" },
  ])("leaves out %j", (given) => {
    expect(mergeRows([aRow(given)]).rows).toEqual([]);
  });

  test("gives the same order whatever the order of the sources", () => {
    const rows = [aRow({ chain: 10 }), aRow(), aRow({ address: `0x${"0".repeat(40)}` })];
    expect(mergeRows(rows).rows).toEqual(mergeRows(rows.toReversed()).rows);
    expect(mergeRows(rows).rows.map(({ chain }) => chain)).toEqual([1, 1, 10]);
  });
});
