import { TypedDataEncoder } from "ethers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyAddress, anyChainId, anyHex } from "../test/index.ts";
import { hashPayload, isFor, parseSafeTransaction, safeTypedData, TypedDataProblem } from "./index.ts";

const safe = `0x${"5A".repeat(20)}`;
const to = `0x${"CD".repeat(20)}`;
const transaction = (change: object = {}) => ({ chainId: "0x1", safe, to, nonce: 7, ...change });
const hash = (json: unknown) =>
  hashPayload({ shape: "safeTransaction", safeTransaction: parseSafeTransaction(json) });

const anyAmount = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(String);

describe("a Safe's transaction", () => {
  test("has one form, however a tool of Safe writes it", () => {
    const parsed = parseSafeTransaction(transaction());
    const nothing = `0x${"00".repeat(20)}`;
    expect(parsed).toEqual({
      ...{ chainId: 1, safe: safe.toLowerCase(), to: to.toLowerCase(), value: "0", data: "0x" },
      ...{ operation: 0, safeTxGas: "0", baseGas: "0", gasPrice: "0", gasToken: nothing },
      ...{ refundReceiver: nothing, nonce: "7" },
    });
    for (const same of [
      parsed,
      transaction({ chainId: 1, value: "0x0", data: null, operation: "0", nonce: "7" }),
      transaction({ gasPrice: 0n, gasToken: null, refundReceiver: nothing, nonce: 7n }),
    ])
      expect(parseSafeTransaction(same)).toEqual(parsed);
  });

  test.each([
    ["safeTransaction", []],
    ["chainId", transaction({ chainId: undefined })],
    ["safe", transaction({ safe: "0x5afe" })],
    ["to", transaction({ to: undefined })],
    ["value", transaction({ value: "1.5" })],
    ["value", transaction({ value: 1e21 })],
    ["data", transaction({ data: "0xf" })],
    ["operation", transaction({ operation: 2 })],
    ["operation", transaction({ operation: 256 })],
    ["nonce", transaction({ nonce: undefined })],
    ["nonce", transaction({ nonce: null })],
    ["nonce", transaction({ nonce: -1 })],
    ["safeTxHash", transaction({ safeTxHash: `0x${"00".repeat(32)}` })],
    ["signatures", transaction({ signatures: "0x" })],
    ["sender", transaction({ sender: to })],
  ])("with a wrong %s is rejected, and the problem names it", (at, json) => {
    const parse = () => parseSafeTransaction(json);
    expect(parse).toThrow(TypedDataProblem);
    expect(parse).toThrow(expect.objectContaining({ at }) as Error);
  });

  test("has the hash that ethers computes", () => {
    const SafeTx = safeTypedData(parseSafeTransaction(transaction())).types["SafeTx"] ?? [];
    fc.assert(
      fc.property(
        anyChainId,
        anyAddress,
        fc.record({
          ...{ to: anyAddress, value: anyAmount, data: anyHex(0, 70), operation: fc.constantFrom(0, 1) },
          ...{ safeTxGas: anyAmount, baseGas: anyAmount, gasPrice: anyAmount, gasToken: anyAddress },
          ...{ refundReceiver: anyAddress, nonce: anyAmount },
        }),
        (chainId, verifyingContract, message) => {
          const expected = TypedDataEncoder.hash(
            { chainId, verifyingContract },
            { SafeTx: SafeTx.map((field) => ({ ...field })) },
            message,
          );
          expect(hash({ chainId, safe: verifyingContract, ...message })).toBe(expected);
        },
      ),
    );
  });

  test("has another hash if anything in it differs", () => {
    const changes = [
      ...[{}, { chainId: 2 }, { safe: to }, { to: safe }, { value: "1" }, { data: "0x00" }],
      ...[{ operation: 1 }, { safeTxGas: "1" }, { baseGas: "1" }, { gasPrice: "1" }, { gasToken: to }],
      ...[{ refundReceiver: to }, { nonce: 8 }],
    ];
    const hashes = changes.map((change) => hash(transaction(change)));
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  test("is for its own chain, and for any account that confirms it", () => {
    const payload = {
      shape: "safeTransaction",
      safeTransaction: parseSafeTransaction(transaction()),
    } as const;
    for (const escrow of [payload.safeTransaction.safe, payload.safeTransaction.to]) {
      expect(isFor(payload, { chainId: 1, escrow })).toBe(true);
      expect(isFor(payload, { chainId: 2, escrow })).toBe(false);
    }
  });
});
