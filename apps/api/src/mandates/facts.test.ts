import { parseSafeTransaction, type Hex } from "@countersign/wire";
import { expect, test } from "vitest";
import { aUserOperation } from "../../test/transactions/payloads.ts";
import { calledBy, effectsIn } from "./facts.ts";

test("effects are read from the context of a report that passes", () => {
  const passing = { decision: "PASS", assessment: { kind: "entailed" }, context: { effects: [1] } };
  expect(effectsIn(passing)).toEqual([1]);
  for (const report of [
    ...[undefined, null, "report", {}, { ...passing, context: null }, { ...passing, decision: "REJECT" }],
    ...["contradicted", "not_understood", "not_checked"].map((kind) => ({
      ...passing,
      assessment: { kind },
    })),
  ])
    expect(effectsIn(report)).toBeUndefined();
});

test("a signature is addressed to the contract that verifies it", () => {
  const verifyingContract = `0x${"C0".repeat(20)}` as const;
  const typedData = { domain: { verifyingContract }, types: {}, primaryType: "Permit", message: {} };
  const payload = { shape: "typedData", typedData } as const;
  const value = 5n;
  expect(calledBy({ to: null, value: 0n, payload })).toEqual({ to: `0x${"c0".repeat(20)}`, value: 0n });
  const to = `0x${"AB".repeat(20)}`;
  expect(calledBy({ to, value, payload: null })).toEqual({ to: `0x${"ab".repeat(20)}`, value });
  expect(calledBy({ to: undefined, value, payload: null })).toEqual({ to: null, value });
});

test("a Safe's transaction is addressed to the Safe, and sends its value", () => {
  const [safe, to] = [`0x${"5a".repeat(20)}`, `0x${"ab".repeat(20)}`] as const;
  const safeTransaction = parseSafeTransaction({ chainId: 1, safe, to, value: 7, nonce: 0 });
  const payload = { shape: "safeTransaction", safeTransaction } as const;
  expect(calledBy({ to: null, value: 0n, payload })).toEqual({ to: safe, value: 7n });
});

test("a text is addressed to no contract", () => {
  const payload = { shape: "message", message: "I agree" } as const;
  expect(calledBy({ to: null, value: 0n, payload })).toEqual({ to: null, value: 0n });
});

test("an authorization calls no contract, so that a rule for calls to the delegate does not allow it", () => {
  const address = `0x${"63".repeat(20)}` as const;
  const payload = {
    shape: "authorizationList",
    authorizationList: [{ chainId: 1, address, nonce: "7" }],
  } as const;
  expect(calledBy({ to: null, value: 0n, payload })).toEqual({ to: null, value: 0n });
});

test("a user operation calls its smart account, whose effects are in the report", () => {
  const userOperation = aUserOperation(`0x${"AC".repeat(20)}`);
  const payload = { shape: "userOperation", userOperation } as const;
  expect(calledBy({ to: null, value: 0n, payload })).toEqual({ to: `0x${"ac".repeat(20)}`, value: 0n });
});

test("a batch sends the sum of its values, to one address or to none that is known", () => {
  const [one, other] = [`0x${"ab".repeat(20)}`, `0x${"cd".repeat(20)}`] as const;
  const batch = (...recipients: readonly Hex[]) => ({
    ...{ to: null, value: 0n },
    payload: {
      shape: "calls" as const,
      calls: {
        ...{ version: "2.0.0" as const, chainId: 1, from: one, atomicRequired: true },
        calls: recipients.map((to) => ({ to, value: "7", data: "0x" as const })),
      },
    },
  });
  expect(calledBy(batch(one, one))).toEqual({ to: one, value: 14n });
  expect(calledBy(batch(one, other))).toEqual({ to: null, value: 14n });
});
