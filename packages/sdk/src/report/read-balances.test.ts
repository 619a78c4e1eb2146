import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatUnits, readBalances, readReport } from "./index.ts";

const usdc = {
  ...{ kind: "token", symbol: "USDC", address: "0xusdc", decimals: 6 },
  ...{ before: "1000000000", after: "900000000", measured: true },
};
const eth = { kind: "native", symbol: "ETH", decimals: 18, before: "2", after: "1", measured: true };
const known = {
  ...{ status: "known", account: "0xme", block: "24000000", fee_included: false, complete: true },
  assets: [usdc, eth],
};
const inReport = (balances: unknown, more: object = {}) => ({
  ...{ decision: "PASS", results: {} },
  context: { state: { status: "proven" }, balances, ...more },
});

describe("readBalances", () => {
  test("reads known balances in base units", () => {
    expect(readBalances(inReport(known))).toEqual({
      ...{ isKnown: true, account: "0xme", block: "24000000", isFeeIncluded: false, isComplete: true },
      assets: [
        {
          ...{ kind: "token", symbol: "USDC", address: "0xusdc", id: null, why: null, decimals: 6 },
          ...{ before: "1000000000", after: "900000000", isMeasured: true },
        },
        {
          ...{ kind: "native", symbol: "ETH", address: null, id: null, why: null, decimals: 18 },
          ...{ before: "2", after: "1", isMeasured: true },
        },
      ],
    });
  });

  test("says why they are not known", () => {
    const why = "The account is a contract.";
    expect(readBalances(inReport({ status: "unknown", why }))).toEqual({ isKnown: false, why });
    expect(readBalances({ decision: "PASS", results: {}, context: {} })).toEqual({
      isKnown: false,
      why: "The state of the chain was not read.",
    });
    expect(readBalances(inReport(undefined))).toEqual({
      isKnown: false,
      why: "The report was made before balances were recorded.",
    });
  });

  test.each<[string, unknown]>([
    ["another status", { ...known, status: "sure" }],
    ["no block", { ...known, block: 24_000_000 }],
    ["no account", { ...known, account: null }],
    ["no assets", { ...known, assets: {} }],
    ["null", null],
    ["an unknown without a reason", { status: "unknown" }],
  ])("does not know malformed balances: %s", (_, balances) => {
    expect(readBalances(inReport(balances))).toEqual({
      isKnown: false,
      why: "The report cannot be read.",
    });
  });

  test.each([-1, "-1", "1.5", "0x1", "", "9".repeat(79), 5, null])(
    "reads the amount %j as unknown",
    (amount) => {
      const balances = readBalances(inReport({ ...known, assets: [{ ...usdc, after: amount }] }));
      expect(balances).toMatchObject({ assets: [{ before: "1000000000", after: null, isMeasured: false }] });
    },
  );

  test.each([-1, 1.5, 256, "6", null])("reads the decimals %j as unknown", (decimals) => {
    const balances = readBalances(inReport({ ...known, assets: [{ ...usdc, decimals }] }));
    expect(balances).toMatchObject({ assets: [{ decimals: null }] });
  });

  test("claims neither a fee nor completeness that the report does not state", () => {
    const { fee_included: _, complete: __, ...less } = known;
    expect(readBalances(inReport(less))).toMatchObject({ isFeeIncluded: false, isComplete: false });
  });

  test("never throws, and applies the text option", () => {
    fc.assert(
      fc.property(fc.anything(), (balances) => {
        expect(readBalances(inReport(balances))).toHaveProperty("isKnown");
        expect(readBalances(balances)).toHaveProperty("isKnown");
      }),
    );
    const evil = { ...known, assets: [{ ...usdc, symbol: "US\u202eDC" }] };
    const text = (said: string): string => said.replaceAll("\u202e", "?");
    expect(readBalances(inReport(evil), { text })).toMatchObject({ assets: [{ symbol: "US?DC" }] });
  });

  test("a report names its state", () => {
    expect(readReport(inReport(known))?.state).toBe("proven");
  });
});

describe("formatUnits", () => {
  test.each<[string, number | null, string]>([
    ["1500000", 6, "1.5"],
    ["1000000", 6, "1"],
    ["1", 18, "0.000000000000000001"],
    ["0", 18, "0"],
    ["0", 0, "0"],
    ["1", 0, "1"],
    ["0007", 1, "0.7"],
    ["12345678901234567890", 0, "12345678901234567890"],
    ["1500000", null, "1500000 base units"],
  ])("%s with %s decimals is %s", (units, decimals, text) => {
    expect(formatUnits(units, decimals)).toBe(text);
  });
});
