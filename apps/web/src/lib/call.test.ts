import { describe, expect, test } from "vitest";
import { givesAccess, readCall } from "./call.ts";

const usdc = "0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238";
const alice = "742d35cc6634c0532925a3b844bc454e4438f44e";
const word = (units: bigint): string => units.toString(16).padStart(64, "0");
const transfer = (units: bigint): string => `0xa9059cbb${"0".repeat(24)}${alice}${word(units)}`;
const approve = (units: bigint): string => `0x095ea7b3${"0".repeat(24)}${alice}${word(units)}`;
const sepolia = 11_155_111;

describe("readCall", () => {
  test("reads a payment of the native token", () => {
    expect(readCall({ to: usdc, value: "5", data: "0x" }, 1)).toEqual({ kind: "pay", wei: "5", to: usdc });
  });

  test("reads a token transfer to the person paid, not to the contract", () => {
    expect(readCall({ to: usdc, value: "0", data: transfer(250_000_000n) }, sepolia)).toEqual({
      ...{ kind: "send", amount: "250", token: "USDC", to: `0x${alice}` },
    });
  });

  test("shows no amount of a token whose decimals are not known", () => {
    expect(readCall({ to: usdc, value: "0", data: transfer(250_000_000n) }, 1)).toMatchObject({
      ...{ amount: "an amount", token: `token ${usdc}` },
    });
  });

  test.each([
    [2n ** 256n - 1n, "any amount", true],
    [2n ** 128n, "any amount", true],
    [100_000_000n, "100", true],
    [0n, "0", false],
  ])("reads an approval of %d as %s", (units, amount, isAccess) => {
    const call = readCall({ to: usdc, value: "0", data: approve(units) }, sepolia);
    expect(call).toMatchObject({ kind: "allow", amount, token: "USDC", spender: `0x${alice}` });
    expect(givesAccess(call)).toBe(isAccess);
  });

  test.each([
    ["extra bytes", { to: usdc, value: "0", data: `${transfer(1n)}00` }],
    ["value on top", { to: usdc, value: "1", data: transfer(1n) }],
    ["an unclean address", { to: usdc, value: "0", data: transfer(1n).replace("0000", "0001") }],
    ["another function", { to: usdc, value: "0", data: "0xdeadbeef" }],
  ])("does not guess at a call with %s", (_, call) => {
    expect(readCall(call, sepolia).kind).toBe("other");
  });
});
