/** A part that only says that the output comes to the owner is not a step; an amount next to it still binds. */
import { describe, expect, test } from "vitest";
import { A, summary } from "../../test/words.ts";

describe("an output that only arrives at the owner is not a step of its own", () => {
  test.each([
    "Deposit 50 USDC into Aave; I receive the shares",
    "Deposit 50 USDC into Aave, the shares should be minted to me",
    "Deposit 50 USDC into Aave, with the receipt credited to my wallet",
  ])("%s", (text) => {
    expect(summary(text)).toMatch(/^supply[^;]*give 50 USDC[^;]*$/);
  });
});

describe("a minimum of a bridge is of what arrives", () => {
  test.each([
    "Bridge 300 USDC from Ethereum to Arbitrum with Across, at least 298 USDC must arrive at my address",
    "Bridge 300 USDC from Ethereum to Arbitrum with Across, minimum received 298 USDC",
    "Pasa 300 USDC de Ethereum a Arbitrum con Across y que lleguen al menos 298 USDC a mi misma dirección",
  ])("%s", (text) => {
    expect(summary(text)).toMatch(/give 300 USDC · get least-298 USDC/);
  });
});

describe("it stays a step", () => {
  test("if another party receives", () => {
    expect(summary(`Deposit 50 USDC into Aave; ${A} receives the shares`)).toContain("0x11");
  });
  test("where another amount is named", () => {
    expect(summary("List Azuki #9 on OpenSea for 4 ETH and I receive the full 5 ETH")).toContain("5 ETH");
  });
});
