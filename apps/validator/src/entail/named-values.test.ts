import { describe, expect, test } from "vitest";
import { aStep, aWorld, anApproval, anEffect, bob, flow, mallory, me, usdc } from "../../test/entail.ts";
import type { Effect } from "../effects.ts";
import type { HardToken, Step } from "../intent.ts";
import { namesEveryValue } from "./named-values.ts";

const payment = anEffect({ act: "transfer", gives: [flow(usdc, 1_500_000n)], receiver: bob });

const names = (
  words: string,
  effects: readonly Effect[],
  more: { readonly steps?: readonly Step[]; readonly tokens?: readonly HardToken[] } = {},
): boolean => {
  const world = aWorld(more.steps ?? effects.map(() => aStep()), effects, {
    intent: { tokens: more.tokens ?? [] },
  });
  return namesEveryValue({ ...world, proposal: { ...world.proposal, words } });
};

describe("a payment of 1.5 USDC to Bob", () => {
  test.each<[string, boolean]>([
    [`1.5 USDC for ${bob}`, true],
    [`1,5 usdc ${bob}`, true],
    [`USDC 1.50 → ${bob.toUpperCase().replace("0X", "0x")}`, true],
    [`15 USDC for ${bob}`, false],
    [`0.15 USDC for ${bob}`, false],
    [`1.5 ETH for ${bob}`, false],
    [`1.5 USDC for ${mallory}`, false],
    [`1.5 USDC for ${bob.slice(0, -1)}3`, false],
    ["", false],
  ])("“%s” names every value: %s", (words, expected) => {
    expect(names(words, [payment])).toBe(expected);
  });
  test("is not named by digits of an address", () => {
    const other = anEffect({ act: "transfer", gives: [flow(usdc, 22_000_000n)], receiver: bob });
    expect(names(`USDC for ${bob} 22`, [other])).toBe(true);
    expect(names(`USDC for ${bob}`, [other])).toBe(false);
  });
  test("that happens twice is not named by one step", () => {
    expect(names(`1.5 USDC for ${bob}`, [payment, payment], { steps: [aStep()] })).toBe(false);
  });
  test("back to the sender is not named", () => {
    const back = anEffect({ act: "transfer", gives: [flow(usdc, 1_500_000n)], receiver: me });
    expect(names("1.5 USDC", [back])).toBe(false);
  });
});

test.each<[string, bigint, boolean]>([
  ["1.500 USDC", 1_500_000_000n, true],
  ["1.500 USDC", 1_500_000n, true],
  ["1,500 USDC", 1_500_000_000n, true],
  ["2k USDC", 2_000_000_000n, true],
  ["2 500 USDC", 2_500_000_000n, true],
  ["2 500 USDC", 500_000_000n, true],
  ["12.50 USDC", 1_250_000_000n, false],
])("“%s” names %d units: %s", (words, units, expected) => {
  const effect = anEffect({ act: "transfer", gives: [flow(usdc, units)], receiver: bob });
  expect(names(`${words} ${bob}`, [effect])).toBe(expected);
});

test("an address that the transaction does not involve is a difference", () => {
  expect(names(`1.5 USDC for ${bob} and 100 USDC for ${mallory}`, [payment])).toBe(false);
  expect(names(`1.5 USDC for ${bob} from ${me}`, [payment])).toBe(true);
});

test("the least and the most of an amount are named, unless there is no least", () => {
  const between = (least: bigint, most: bigint) =>
    names(`1.5 USDC ${bob}`, [anEffect({ ...payment, gives: [flow(usdc, { least, most })] })]);
  expect(between(1_500_000n, 1_500_000n)).toBe(true);
  expect(between(0n, 1_500_000n)).toBe(true);
  expect(between(1n, 1_500_000n)).toBe(false);
  expect(between(0n, 1_500_001n)).toBe(false);
});

test("an allowance is named by its amount and its spender", () => {
  const words = `let ${bob} spend 5 USDC`;
  expect(names(words, [anApproval(bob, 5_000_000n)])).toBe(true);
  expect(names(words, [anApproval(bob, 2n ** 256n - 1n)])).toBe(false);
  expect(names(words, [anApproval(mallory, 5_000_000n)])).toBe(false);
});

test("a chain that the request names must be the transaction's", () => {
  const on = (text: string): HardToken => ({ kind: "chain", text, span: [0, 1], slot: "chain" });
  const words = `1.5 USDC ${bob}`;
  expect(names(words, [payment], { tokens: [on("Ethereum")] })).toBe(true);
  expect(names(words, [payment], { tokens: [on("Base")] })).toBe(false);
});

test("the reverse of what a step asks for is a difference, whatever the request names", () => {
  const supply = aStep({ acts: ["supply"] });
  const withdraw = anEffect({ act: "withdraw", gives: [], gets: [flow(usdc, 1_500_000n)], receiver: me });
  expect(names("Supply 1.5 USDC", [withdraw], { steps: [supply] })).toBe(false);
  expect(names("Withdraw 1.5 USDC", [withdraw], { steps: [aStep({ acts: ["withdraw"] })] })).toBe(true);
});

test("fees, acts of control and unreadable calls are never named", () => {
  const words = `1.5 USDC ${bob}`;
  expect(names(words, [anEffect({ ...payment, act: "opaque" })])).toBe(false);
  expect(names(words, [anEffect({ ...payment, admin: { kind: "add_owner", party: bob } })])).toBe(false);
  expect(names(words, [])).toBe(false);
});
