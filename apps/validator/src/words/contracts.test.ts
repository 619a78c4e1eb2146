/** Addresses that only identify a contract: they fill no slot, and stay open until the transaction touches them. */
import { describe, expect, test } from "vitest";
import { A, B, summary } from "../../test/words.ts";

test("a token's address next to its symbol is not a payee", () => {
  const said = summary(`{"type":"transfer","token":"${B}","symbol":"USDC","amount":"18.75","to":"${A}"}`);
  expect(said).toContain("give 18.75 USDC · to 0x11");
  expect(said).toContain(`LOOSE ${B}`);
});

describe("a vault's address", () => {
  test("in brackets behind it stays open", () => {
    expect(summary(`Deposit 50 USDC into the Morpho USDC vault (${A})`)).toContain(`LOOSE ${A}`);
  });
  test("is paid where the verb only pays", () => {
    expect(summary(`Send 50 USDC to the vault (${A})`)).toContain("to 0x11");
  });
});

test("two words that make a noun name no venue", () => {
  expect(summary(`Send 50 USDC to the golden curve ${A}`)).not.toContain("venue");
  expect(summary("Swap 50 USDC to DAI on curve")).toContain("venue curve");
});
