import { describe, expect, test } from "vitest";
import { privateKeyToAccount } from "viem/accounts";
import { anAttestation } from "../../../test/transactions/attestation.ts";
import { aTransaction } from "../../../test/transactions/in-memory.ts";
import type { Transaction } from "../transaction.ts";
import { requestUseOf } from "./request-use.ts";

const usdc = `0x${"c0".repeat(20)}`;
const bob = `0x${"b0".repeat(20)}`;

const aFlow = (more: object = {}) => ({ kind: "token", symbol: "USDC", address: usdc, most: "5", ...more });
const anEffect = (more: object = {}) => ({
  act: "transfer",
  payer: "self",
  receiver: bob,
  gives: [aFlow()],
  gets: [],
  authority: null,
  to_chain: null,
  ...more,
});

const useOf = (changes: Partial<Transaction> = {}, effects: unknown = [anEffect()]) => {
  const use = requestUseOf(aTransaction(changes), { attestation: null, effects });
  if (use === undefined) throw new Error("nothing can be compared");
  return { byCall: use.byCall.toString("hex"), byEffects: use.byEffects?.toString("hex") };
};
const call = { to: `0x${"11".repeat(20)}`, value: 0n, data: "0x01" } as const;

describe("by the effects, a request is the same", () => {
  const first = useOf().byEffects;
  test("with another call, such as one with a later deadline", () => {
    expect(useOf({ tx: call }).byEffects).toBe(first);
  });
  test.each([
    "send 1 usdc to Ann",
    "  Send 1  USDC\nto Ann. ",
    "Send 1 USDC to Ann!",
    "Ｓend 1 USDC to Ann.",
  ])("written as %j", (description) => {
    expect(useOf({ description }).byEffects).toBe(first);
  });
  test("with another venue, position or minimum output", () => {
    const swap = (more: object) =>
      useOf({}, [anEffect({ act: "swap", receiver: "self", ...more })]).byEffects;
    expect(swap({ venue: "uniswap_v3", gets: [aFlow({ least: "1.01" })], deadline: "1" })).toBe(
      swap({ venue: "sushi", gets: [aFlow({ least: "0.99" })], deadline: "2" }),
    );
  });
  test("with its effects in another order", () => {
    const [one, two] = [anEffect(), anEffect({ receiver: usdc })];
    expect(useOf({}, [one, two]).byEffects).toBe(useOf({}, [two, one]).byEffects);
  });
});

describe("by the effects, a request is another one", () => {
  const first = useOf().byEffects;
  test.each([
    ["for another recipient", anEffect({ receiver: usdc })],
    ["for another amount", anEffect({ gives: [aFlow({ most: "6" })] })],
    ["for another token", anEffect({ gives: [aFlow({ address: bob })] })],
    ["for an NFT with another id", anEffect({ gives: [aFlow({ id: "7" })] })],
    ["for another act", anEffect({ act: "supply" })],
    ["for another payer", anEffect({ payer: usdc })],
    ["for another chain", anEffect({ to_chain: 10 })],
    ["with an allowance", anEffect({ authority: { spender: bob, asset: aFlow(), most: "5" } })],
    ["with an authority over the account", anEffect({ authority: { spender: bob, asset: null } })],
  ])("%s", (_, effect) => {
    expect(useOf({}, [effect]).byEffects).not.toBe(first);
  });
  test("on another chain or with other words", () => {
    expect(useOf({ chainId: 1 }).byEffects).not.toBe(first);
    expect(useOf({ description: "Send 1 USDC to Ann again." }).byEffects).not.toBe(first);
  });
});

test.each([
  ["missing", null],
  ["empty", []],
  ["not readable", [anEffect({ act: "opaque" })]],
  ["in an unknown form", [{ act: "transfer", gives: [{ kind: "native" }] }]],
])("has no hash of effects that are %s", (_, effects) => {
  expect(useOf({}, effects).byEffects).toBeUndefined();
});

describe("by the call, a request is compared", () => {
  const first = useOf().byCall;
  test("exactly", () => {
    expect(useOf({}, []).byCall).toBe(first);
    expect(useOf({ description: "send 1 USDC to Ann." }).byCall).not.toBe(first);
    expect(useOf({ chainId: 1 }).byCall).not.toBe(first);
    for (const tx of [call, { ...call, value: 1n }, { ...call, data: "0x02" as const }])
      expect(useOf({ tx }).byCall).not.toBe(first);
  });
  test("whether or not the sender encrypted it", async () => {
    const open = aTransaction({ tx: call });
    const attestation = await anAttestation(open, privateKeyToAccount(`0x${"7a".repeat(32)}`));
    const sealed = aTransaction({ form: "sealed", tx: null, description: "(encrypted by the sender)" });
    const use = requestUseOf(sealed, { attestation, effects: [anEffect()] });
    expect(use?.byCall.toString("hex")).toBe(useOf({ tx: call }).byCall);
    expect(use?.byEffects).toBeNull();
  });
  test("not at all if the sender encrypted it and no signed verdict names it", () => {
    expect(
      requestUseOf(aTransaction({ form: "sealed", tx: null }), { attestation: null, effects: undefined }),
    ).toBeUndefined();
  });
});
