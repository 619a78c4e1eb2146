import { describe, expect, test } from "vitest";
import { captured } from "../../test/render/reports.ts";
import { renderBalances } from "./balances.ts";
import { renderReport } from "./report.ts";

const usdc = { kind: "token", symbol: "USDC", address: "0xusdc", decimals: 6 };
const known = {
  ...{ status: "known", account: "0xme", block: "24000000", fee_included: false, complete: true },
  assets: [{ ...usdc, before: "1000000000", after: "899500000", measured: true }],
};
const page = { width: 80, colour: false };
const withBalances = (balances: unknown) => {
  const { report } = captured("payment");
  const context = { ...(report["context"] as object), state: { status: "proven" }, balances };
  return { ...report, context };
};
const textOf = (balances: unknown): string => {
  const { heading, lines } = renderBalances(withBalances(balances), page);
  return [heading, ...lines].join("\n");
};

describe("balances", () => {
  test("are shown in whole units, before and after, with the block and without the fee", () => {
    expect(textOf(known)).toBe(
      ["Balances, at block 24000000", "  USDC  1000 → 899.5", "  Without the network fee."].join("\n"),
    );
  });

  test("of an unknown token are base units, and a missing one is not known", () => {
    const odd = { kind: "token", symbol: null, address: "0xodd", decimals: null, before: "7", after: null };
    expect(textOf({ ...known, complete: false, assets: [odd] })).toMatch(
      /0xodd {2}7 base units → not known\n[^]*a balance may be missing/,
    );
  });

  test("that do not change are not listed", () => {
    expect(textOf({ ...known, assets: [] })).toContain("No balance that changes was found.");
  });

  test("that are not known have a reason", () => {
    expect(textOf({ status: "unknown", why: "The account is a contract." })).toBe(
      "Balances\n  Not known. The account is a contract.",
    );
  });

  test("hide no control character", () => {
    const evil = { ...known, assets: [{ ...known.assets[0], symbol: "US\u001b[2JDC" }] };
    expect(textOf(evil)).not.toContain("\u001b");
  });

  test("are part of a report that has a state, and of no other", () => {
    expect(renderReport(withBalances(known), page)).toMatch(/\nBalances, at block 24000000\n[^]*\nDiffers\n/);
    expect(renderReport(captured("payment").report, page)).not.toContain("Balances");
  });
});
