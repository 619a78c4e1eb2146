import { expect, test } from "vitest";
import { assetChain, assetSymbol, isSameAsset } from "./assets.ts";

const usdc = "eip155:8453/erc20:0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";

test("names known tokens and coins, and shortens other addresses", () => {
  expect(assetSymbol(usdc)).toBe("USDC");
  expect(assetSymbol("eip155:137/slip44:966")).toBe("POL");
  expect(assetSymbol(`eip155:1/erc20:0x${"ab".repeat(20)}`)).toBe("token 0xababab…ababab");
  expect(assetSymbol("something else")).toBe("something else");
  expect([assetChain(usdc), assetChain("x")]).toEqual(["Base", "an unknown chain"]);
});

test("compares assets whatever their spelling", () => {
  expect(isSameAsset("eip155:1/slip44:60", "eip155:1/native")).toBe(true);
  expect(
    isSameAsset(usdc, usdc.toUpperCase().replace("EIP155", "eip155").replace("ERC20:0X", "erc20:0x")),
  ).toBe(true);
  expect(isSameAsset(usdc, "eip155:8453/native")).toBe(false);
  expect(isSameAsset("x", "x")).toBe(false);
});
