import { parseTypedData } from "@countersign/wire";
import { encodeFunctionData, parseAbi, zeroAddress, type Hex } from "viem";
import { describe, expect, test } from "vitest";
import type { ExactCall } from "../guard/read-send.ts";
import { isConfirmedBy, readOwnerCall } from "./read-call.ts";
import type { SafeTx } from "./safe-options.ts";
import { hashSafeTx, readSafeTx } from "./safe-tx.ts";

const safe = "0x5afe5afe5afe5afe5afe5afe5afe5afe5afe5afe";
const payee = "0x742d35cc6634c0532925a3b844bc454e4438f44e";
const at = { safe, chainId: 1 } as const;
const tx: SafeTx = {
  ...{ to: payee, value: 5n, data: "0x", operation: 0, safeTxGas: 0n, baseGas: 0n, gasPrice: 0n },
  ...{ gasToken: zeroAddress, refundReceiver: zeroAddress, nonce: 7n },
};
const types = {
  SafeTx: Object.entries(tx).map(([name, value]) => {
    if (name === "operation") return { name, type: "uint8" };
    return { name, type: typeof value === "bigint" ? "uint256" : name === "data" ? "bytes" : "address" };
  }),
};
const order = (message: object = {}, over: object = {}) =>
  parseTypedData({
    ...{ domain: { chainId: 1, verifyingContract: safe }, types, primaryType: "SafeTx" },
    message: { ...tx, ...message },
    ...over,
  });

describe("a transaction of the Safe", () => {
  test("is read with all its members", () => {
    expect(readSafeTx(order({ operation: 1 }), at)).toEqual({ ...tx, operation: 1 });
  });

  test("has the hash that the Safe's contract computes", () => {
    // Computed with ethers 6: TypedDataEncoder.hash(domain, types, message).
    expect(hashSafeTx(tx, at)).toBe("0x45613d39a9d4e5a60f1ec0adfa9d2c86a0875b39459ab901f0a1d4efaf92cc24");
  });

  const withoutTo = Object.fromEntries(Object.entries(tx).filter(([name]) => name !== "to"));
  const typed = (change: object) => ({ types: { SafeTx: [...types.SafeTx, change] } });
  const others: readonly (readonly [string, () => ReturnType<typeof order>])[] = [
    ["another Safe", () => order({}, { domain: { chainId: 1, verifyingContract: payee } })],
    ["another chain", () => order({}, { domain: { chainId: 10, verifyingContract: safe } })],
    ["no chain, as before version 1.3.0", () => order({}, { domain: { verifyingContract: safe } })],
    ["a named domain", () => order({}, { domain: { name: "x", chainId: 1, verifyingContract: safe } })],
    ["one member more", () => order({ note: "1" }, typed({ name: "note", type: "uint256" }))],
    ["an unknown operation", () => order({ operation: 2 })],
    ["another type", () => order({}, { primaryType: "SafeMessage", types: { SafeMessage: types.SafeTx } })],
    [
      "other members under the same name",
      () => order({}, { types: { SafeTx: types.SafeTx.slice(1) }, message: withoutTo }),
    ],
  ];
  test.each(others)("is refused with %s", (_, make) => {
    expect(() => readSafeTx(make(), at)).toThrow(/^Not signed: /);
  });
});

describe("a call of the owner", () => {
  const abi = parseAbi([
    "function execTransaction(address, uint256, bytes, uint8, uint256, uint256, uint256, address, address, bytes)",
    "function approveHash(bytes32)",
    "function enableModule(address)",
  ]);
  const execution = (operation = 0): Hex =>
    encodeFunctionData({
      ...{ abi, functionName: "execTransaction" },
      args: [payee, 5n, "0x", operation, 0n, 0n, 0n, zeroAddress, zeroAddress, "0xabcd"],
    });

  test("is read as an execution or a confirmation", () => {
    const read = readOwnerCall({ to: safe, value: 0n, data: execution() }, safe);
    expect(read).toMatchObject({ kind: "execution", signatures: "0xabcd", tx: { value: 5n, operation: 0 } });
    const hash: Hex = `0x${"ab".repeat(32)}`;
    const data = encodeFunctionData({ abi, functionName: "approveHash", args: [hash] });
    expect(readOwnerCall({ to: safe, value: 0n, data }, safe)).toEqual({ kind: "approval", hash });
  });

  const others: readonly (readonly [string, ExactCall])[] = [
    ["to another contract", { to: payee, value: 0n, data: execution() }],
    ["with coin", { to: safe, value: 1n, data: execution() }],
    ["with data behind the arguments", { to: safe, value: 0n, data: `${execution()}00` }],
    ["with an unknown operation", { to: safe, value: 0n, data: execution(2) }],
    ["without data", { to: safe, value: 0n, data: "0x" }],
    [
      "of another function",
      {
        ...{ to: safe, value: 0n },
        data: encodeFunctionData({ abi, functionName: "enableModule", args: [payee] }),
      },
    ],
  ];
  test.each(others)("is not read %s", (_, call) => {
    expect(readOwnerCall(call, safe)).toBeUndefined();
  });
});

describe("signatures confirm for the owner", () => {
  const owner = payee;
  const ours: Hex = `0x${"11".repeat(64)}1b`;
  const theirs = `${"22".repeat(64)}1c`;
  const bySending = (padding: string) => `${padding}${owner.slice(2)}${"00".repeat(32)}01`;

  test("only with the released one", () => {
    expect(isConfirmedBy(`0x${theirs}${ours.slice(2)}`, ours, owner)).toBe(true);
    expect(isConfirmedBy(`0x${theirs}`, ours, owner)).toBe(false);
    expect(isConfirmedBy(`0x00${ours.slice(2)}`, ours, owner)).toBe(false);
  });

  test.each([
    ["zeros", "00".repeat(12)],
    ["bytes that the Safe ignores", "ff".repeat(12)],
  ])("and not by sending, padded with %s", (_, padding) => {
    expect(isConfirmedBy(`0x${ours.slice(2)}${bySending(padding)}`, ours, owner)).toBe(false);
  });
});
