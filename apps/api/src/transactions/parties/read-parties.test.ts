import { hashData } from "@countersign/wire";
import { describe, expect, test } from "vitest";
import type { Hex } from "../transaction.ts";
import { readParties } from "./read-parties.ts";

const at = (digits: string): Hex => `0x${digits.repeat(20)}`;
const [escrow, token, alice, bob] = [at("ee"), at("c0"), at("a1"), at("b0")];
const word = (value: string): string => value.replace("0x", "").padStart(64, "0");

type Asked = Parameters<typeof readParties>[0];
const call = (data: string, more: object = {}): Asked => ({
  ...{ escrow, form: "standard", expected: null },
  tx: { to: token, value: 0n, data: data as Hex, ...more },
});
const report = (net: object, more: object = {}) => ({
  context: { limit: null, effects: [{ act: "transfer", knowledge: "full" }], net_effect: net, ...more },
});

describe("with a report", () => {
  test("names those who are paid, and not the contract that is called", () => {
    const net = {
      others: [{ party: alice.toUpperCase().replace("0X", "0x") }, { party: bob }, { party: alice }],
    };
    expect(readParties(call("0x01"), report(net))).toEqual({
      parties: [
        { role: "paid", address: alice },
        { role: "paid", address: bob },
      ],
      isComplete: true,
    });
  });

  test("names those who get access or control, and not those whose access ends", () => {
    const net = {
      authority: [
        { spender: alice, most: "unlimited" },
        { spender: bob, most: "0" },
      ],
      admin: [{ kind: "add_owner", party: bob }],
    };
    expect(readParties(call("0x01"), report(net)).parties).toEqual([
      { role: "access", address: alice },
      { role: "access", address: bob },
    ]);
  });

  test("names the contract if the report names no other party", () => {
    const net = { others: [{ party: "venue" }, { party: "self" }, { party: escrow }] };
    expect(readParties(call("0x01"), report(net))).toEqual({
      parties: [{ role: "called", address: token }],
      isComplete: true,
    });
  });

  test.each([
    ["a limit", report({}, { limit: "too deep" })],
    ["an opaque effect", report({}, { effects: [{ act: "opaque" }] })],
    ["an effect of an unknown contract", report({}, { effects: [{ act: "call", knowledge: "none" }] })],
    ["foreign code", report({ admin: [{ kind: "delegatecall", party: alice }] })],
  ])("is incomplete with %s", (_, partly) => {
    expect(readParties(call("0x01"), partly).isComplete).toBe(false);
  });
});

describe.each([
  ["without a report", undefined],
  ["with a report that has no effects", report({}, { effects: [] })],
  ["with a malformed report", { context: "effects" }],
])("%s", (_, nothing) => {
  test.each([
    ["a payment", call("0x", { to: alice, value: 5n }), "paid"],
    ["a token transfer", call(`0xa9059cbb${word(alice)}${word("5")}`), "paid"],
    ["a transfer from another account", call(`0x23b872dd${word(bob)}${word(alice)}${word("5")}`), "paid"],
    ["an approval", call(`0x095ea7b3${word(alice)}${word("5")}`), "access"],
  ])("reads %s from its calldata", (_name, asked, role) => {
    expect(readParties(asked, nothing)).toEqual({
      parties: [{ role, address: alice }],
      isComplete: true,
    });
  });

  test.each([
    ["another call", call("0xdeadbeef")],
    ["a transfer with more data after it", call(`0xa9059cbb${word(alice)}${word("5")}00`)],
    [
      "a transfer with dirty bytes before the address",
      call(`0xa9059cbb${"1".repeat(24)}${alice.slice(2)}${word("5")}`),
    ],
    [
      "a transfer that also sends the native token",
      call(`0xa9059cbb${word(alice)}${word("5")}`, { value: 1n }),
    ],
    ["an approval of zero", call(`0x095ea7b3${word(alice)}${word("0")}`)],
  ])("names only the contract of %s", (_name, asked) => {
    expect(readParties(asked, nothing)).toEqual({
      parties: [{ role: "called", address: token }],
      isComplete: false,
    });
  });
});

describe("encrypted by its sender", () => {
  const sealed = (expected: Asked["expected"]): Asked => ({ escrow, form: "sealed", tx: null, expected });

  test("names no party before the verdict", () => {
    expect(readParties(sealed(null), undefined)).toEqual({ parties: [], isComplete: false });
  });
  test("names the recipient of a call without data", () => {
    expect(readParties(sealed({ to: alice, value: 5n, dataHash: hashData("0x") }), undefined)).toEqual({
      parties: [{ role: "paid", address: alice }],
      isComplete: true,
    });
  });
  test("names only the contract of a call with data, whatever report there is", () => {
    const expected = { to: token, value: 0n, dataHash: hashData("0x01") };
    expect(readParties(sealed(expected), report({ others: [{ party: alice }] }))).toEqual({
      parties: [{ role: "called", address: token }],
      isComplete: false,
    });
  });
});
