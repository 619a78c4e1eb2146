/** Shorthand of traders and bookkeepers, read as the sentence it stands for. */
import { describe, expect, test } from "vitest";
import { A, B, C, summary } from "../../test/words.ts";

describe("a name or a description alone asks for nothing", () => {
  test.each([
    ["the number of a round", `Grant round 6: send 45 USDC to ${A}`, "transfer · give 45 USDC · to 0x11"],
    [
      "a headline of paying",
      `Settle OTC trade 88: deliver 45 USDC to ${A}`,
      "transfer · give 45 USDC · to 0x11",
    ],
    [
      "whose wallet it is",
      `Send 45 USDC. Deliver to the desk wallet ${A}.`,
      "transfer · give 45 USDC · to 0x11",
    ],
    ["a definition", `Paga 45 USDC a la profesora de inglés: ${A}`, "transfer · give 45 USDC · to 0x11"],
  ])("%s", (_, text, said) => {
    expect(summary(text)).toBe(said);
  });
  test("this quarter is a time, a quarter of it a share", () => {
    expect(summary(`The rent this quarter is 90 USDC. Please pay it to ${A}.`)).toContain(
      "give 90 USDC · to",
    );
    expect(summary(`Pay a quarter of my USDC to ${A}`)).toContain("2500bps");
  });
  test("shares in the name of a pool are no amount", () => {
    expect(summary("swap 15 BAL for WETH in the 80/20 pool, min 0.66 WETH")).toContain(
      "give 15 BAL · get least-0.66 WETH",
    );
  });
  test("a number that counts something stays", () => {
    expect(summary(`Settle trade 88 USDC to ${A}`)).toContain("88 USDC");
  });
});

describe("bounds by other names", () => {
  test.each([
    ["swap 3 USDC -> WETH, minOut 0.945 WETH, deadline now+20m", "get least-0.945 WETH · deadline 1200s"],
    ["Buy USDC with 0.4 ETH. The minimum I'd accept is 1,235 USDC.", "give 0.4 ETH · get least-1235 USDC"],
    [
      "I want exactly 300 USDC and I'm willing to spend up to 0.1 WETH for it.",
      "give most-0.1 WETH · get 300 USDC",
    ],
    ["Buy 1 WBTC for at most 97 USDC on CoW Swap\npartially fillable: no", "partial false"],
    [
      `{"asset":"USDC","amount":"0.50","payTo":"${A}","validForSeconds":300}`,
      "give 0.5 USDC · to 0x11 · deadline 300s",
    ],
  ])("%s", (text, said) => {
    expect(summary(text)).toContain(said);
  });
  test("a person who is happy to pay another pays", () => {
    expect(summary(`Happy to pay 45 USDC to ${A}`)).toBe("transfer · give 45 USDC · to 0x11");
  });
});

describe("the account that acts, however it is introduced", () => {
  test.each([
    `Paid by Safe ${C}: 8 DAI to ${A} and 12 DAI to ${B}.`,
    `From my smart account ${C}: 8 DAI to ${A}, 12 DAI to ${B}.`,
    `My smart account ${C} should run two calls in one go: 8 DAI to ${A}, then 12 DAI to ${B}.`,
  ])("%s", (text) => {
    expect(summary(text)).toBe(
      "transfer · give 8 DAI · to 0x11 · from 0x33 ; transfer · give 12 DAI · to 0x22",
    );
  });
  test("a Safe at an address", () => {
    expect(summary(`From the Safe at ${C}, supply 80 USDC to Aave v3.`)).toBe(
      "supply · give 80 USDC · from 0x33 · venue aave_v3",
    );
  });
});

describe("vaults and pieces", () => {
  test("minting by lending, only if the protocol is named", () => {
    expect(summary("Compound: mint cUSDC by supplying 5 USDC.")).toContain(
      "supply · give 5 USDC · get CUSDC",
    );
    expect(summary("Aave: mint cUSDC by supplying 5 USDC.")).not.toContain("supply");
    expect(summary("mint cUSDC by supplying 5 USDC.")).not.toContain("supply");
  });
  test("a contract next to a standard keeps the pieces", () => {
    expect(summary(`ERC-1155 transfer: contract ${C}, id 17, quantity 5, to ${A}.`)).toBe(
      "transfer · give 5 nft(0x333333333333333333#17) · to 0x11",
    );
  });
  test("a vault's address behind its noun is open until the bytes touch it", () => {
    expect(summary(`Deposit 5 USDC in the vault ${A}; shares go to me.`)).toContain(`LOOSE ${A}`);
    expect(summary(`ERC-4626 deposit: vault ${A}, assets 5 USDC`)).toContain(`LOOSE ${A}`);
  });
});
