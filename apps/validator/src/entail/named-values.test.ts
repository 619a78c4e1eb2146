import { describe, expect, test } from "vitest";
import {
  aStep,
  aWorld,
  anApproval,
  anEffect,
  bob,
  flow,
  mallory,
  me,
  router,
  usdc,
  weth,
} from "../../test/entail.ts";
import { token, type Effect, type Flow } from "../effects.ts";
import type { HardToken, Step } from "../intent.ts";
import type { Address, Context } from "../proposal.ts";
import { namesEveryValue } from "./named-values.ts";

const where = { call: "proposed_tx", field: "value" };
const payment = anEffect({ act: "transfer", gives: [flow(usdc, 1_500_000n)], receiver: bob });

const names = (
  words: string,
  effects: readonly Effect[],
  more: {
    readonly steps?: readonly Step[];
    readonly tokens?: readonly HardToken[];
    readonly context?: Partial<Context>;
  } = {},
): boolean => {
  const world = aWorld(more.steps ?? effects.map(() => aStep()), effects, {
    intent: { tokens: more.tokens ?? [] },
    ...(more.context === undefined ? {} : { context: more.context }),
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
  test("is named without the zero before its decimal point", () => {
    const half = anEffect({ act: "transfer", gives: [flow(usdc, 500_000n)], receiver: bob });
    expect(names(`.5 USDC for ${bob}`, [half])).toBe(true);
    expect(names(`1.5 USDC for ${bob}`, [half])).toBe(false);
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
  ["2 k USDC", 2_000_000_000n, true],
  ["2kg of USDC", 2_000_000_000n, false],
  ["1.5m USDC", 1_500_000_000_000n, true],
  ["1.5m USDC", 1_500_000n, false],
  ["2k USDC", 2_000n, false],
  ["1.234.500 USDC", 1_234_500_000_000n, true],
  ["1.500.2 USDC", 15_002_000_000n, false],
  ["1234.500 USDC", 1_234_500_000n, true],
  ["1234.500 USDC", 1_234_500_000_000n, false],
  ["12.500 USDC", 12_500_000_000n, true],
  ["25 USDC", 250_000n, false],
  ["0xbeef12 USDC", 12_000_000n, false],
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
  expect(names(`no more USDC for ${bob}`, [anApproval(bob, 0n)])).toBe(true);
  expect(names(`no more USDC for ${bob}`, [anApproval(mallory, 0n)])).toBe(false);
  expect(names(`no more WETH for ${bob}`, [anApproval(bob, 0n)])).toBe(false);
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
  const fee: Effect["fees"][number] = { to: mallory, asset: token(usdc), share: { bps: 10n }, where };
  expect(names(words, [anEffect({ ...payment, fees: [fee] })])).toBe(false);
  expect(names(words, [])).toBe(false);
  expect(names(words, [], { steps: [aStep()] })).toBe(false);
  expect(names(words, [anEffect({ act: "harmless" })], { steps: [] })).toBe(false);
});

test("a harmless effect needs no step", () => {
  expect(names(`1.5 USDC ${bob}`, [payment, anEffect({ act: "harmless" })], { steps: [aStep()] })).toBe(true);
});

test("one payment of two that is not named is a difference", () => {
  const other = anEffect({ ...payment, gives: [flow(usdc, 9_000_000n)] });
  expect(names(`1.5 and 9 USDC for ${bob}`, [payment, other])).toBe(true);
  expect(names(`1.5 and 8 USDC for ${bob}`, [payment, other])).toBe(false);
});

test("the reverse of one of two steps is a difference", () => {
  const supply = anEffect({ act: "supply", gives: [flow(usdc, 1_500_000n)] });
  const withdraw = anEffect({ act: "withdraw", gives: [], gets: [flow(usdc, 1_500_000n)], receiver: me });
  const steps = [aStep({ acts: ["supply"] }), aStep({ acts: ["transfer"] })];
  expect(names("Supply 1.5 USDC", [supply, withdraw], { steps })).toBe(false);
});

describe("addresses in the request", () => {
  const swap = anEffect({
    act: "swap",
    gives: [flow(usdc, 1_500_000n)],
    gets: [flow(weth, 10n ** 15n)],
    receiver: "self",
    target: router,
  });
  test.each([usdc, weth, router, me])("may be a part of the swap: %s", (address) => {
    expect(names(`1.5 USDC for 0.001 WETH with ${address}`, [swap])).toBe(true);
  });
  test("may be a choice, a spender or a payer", () => {
    const choice: Effect["choices"][number] = { what: "pool", value: mallory, known: true, where };
    const words = `1.5 USDC for 0.001 WETH with ${mallory}`;
    expect(names(words, [swap])).toBe(false);
    expect(names(words, [anEffect({ ...swap, choices: [choice] })])).toBe(true);
    expect(names(words, [anEffect({ ...swap, payer: mallory })])).toBe(true);
  });
  test("end after forty digits: a longer number is no address", () => {
    expect(names(`1.5 USDC for ${bob}, see ${mallory}${"0".repeat(24)}`, [payment])).toBe(true);
    expect(names(`1.5 USDC for ${bob}, see ${mallory}!`, [payment])).toBe(false);
  });
});

describe("assets", () => {
  const swapped = (gets: Flow): Effect =>
    anEffect({ act: "swap", gives: [flow(usdc, 1_500_000n)], gets: [gets], receiver: "self" });
  test("are named by symbol or by address", () => {
    const words = "1.5 USDC for 0.001";
    const wrapped = swapped(flow(weth, 10n ** 15n));
    expect(names(`${words} WETH.`, [wrapped])).toBe(true);
    expect(names(`${words} ${weth}`, [wrapped])).toBe(true);
    expect(names(`${words} ${weth.toUpperCase().replace("0X", "0x")}`, [wrapped])).toBe(true);
    expect(names(`${words} ETH`, [wrapped])).toBe(false);
    expect(names(`${words} W.ETH`, [wrapped])).toBe(false);
  });
  test("include the chain's own coin", () => {
    const coin = swapped(flow("native", 10n ** 15n));
    expect(names("1.5 USDC for 0.001 ETH", [coin])).toBe(true);
    expect(names("1.5 USDC for 0.001 WETH", [coin])).toBe(false);
  });
  test("that the data does not name, or of unknown decimals, are not named", () => {
    const unsaid: Flow = { asset: { kind: "unsaid", why: "a pool" }, amount: { least: 1n, most: 1n }, where };
    expect(names("1.5 USDC for 1 WETH", [swapped(unsaid)])).toBe(false);
    expect(names(`1.5 USDC for 1 ${mallory}`, [swapped(flow(mallory, 1n))])).toBe(false);
    expect(names(`1.5 USDC for 0 ${mallory}`, [swapped(flow(mallory, 0n))])).toBe(false);
  });
  test("of which everything goes are not named", () => {
    const everything = { least: 1_500_000n, most: 1_500_000n, everything: true } as const;
    const all = anEffect({ ...payment, gives: [flow(usdc, everything)] });
    expect(names(`1.5 USDC for ${bob}`, [all])).toBe(false);
  });
  test("of a collection are named by their number", () => {
    const nft = (id: bigint | null): Effect => {
      const one: Flow = { asset: { kind: "nft", address: weth, id }, amount: { least: 1n, most: 1n }, where };
      return anEffect({ act: "transfer", gives: [one], receiver: bob });
    };
    const words = `Send BAYC 15 of the 2 to ${bob}`;
    expect(names(words, [nft(15n)])).toBe(true);
    expect(names(words, [nft(16n)])).toBe(false);
    expect(names(words, [nft(null)])).toBe(false);
    expect(names(`Send BAYC 1.5 to ${bob}`, [nft(15n)])).toBe(false);
  });
});

describe("parties", () => {
  test("are named by a contact's label or by a name", () => {
    const known: Context["known"] = [
      { address: mallory, label: "Mallory" },
      { address: bob, label: "Bob K." },
      { address: bob, label: null },
    ];
    const labels = { context: { known } };
    expect(names("1.5 USDC to bob k. please", [payment], labels)).toBe(true);
    expect(names("1.5 USDC to Mallory", [payment], labels)).toBe(false);
    expect(names("1.5 USDC to null", [payment], labels)).toBe(false);
    const named = {
      context: { names: new Map([["mallory.eth", mallory] as const, ["bob.eth", bob] as const]) },
    };
    expect(names("1.5 USDC to Bob.eth", [payment], named)).toBe(true);
    expect(names("1.5 USDC to mallory.eth", [payment], named)).toBe(false);
  });
  test("other than the owner receive a swap's proceeds only if named", () => {
    const swap = (receiver: Effect["receiver"]): Effect =>
      anEffect({ act: "swap", gives: [flow(usdc, 1_500_000n)], gets: [flow(weth, 10n ** 15n)], receiver });
    const words = "1.5 USDC for 0.001 WETH";
    expect(names(words, [swap("self")])).toBe(true);
    expect(names(words, [swap("venue")])).toBe(true);
    expect(names(words, [swap(me)])).toBe(true);
    expect(names(words, [swap(null)])).toBe(true);
    expect(names(words, [swap(mallory)])).toBe(false);
    expect(names("1.5 USDC", [anEffect({ ...payment, receiver: "self" })])).toBe(false);
  });
});

describe("an allowance's spender", () => {
  const venue = (text: string): HardToken => ({ kind: "venue", text, span: [0, 1], slot: "venue" });
  const to = (spender: Address | "self" | "venue"): Effect => {
    const { authority, ...rest } = anApproval(bob, 5_000_000n);
    return anEffect({ ...rest, authority: authority === null ? null : { ...authority, spender } });
  };
  test("may be named as a venue", () => {
    const words = "Let it spend 5 USDC";
    expect(names(words, [to(router)], { tokens: [venue("Lender"), venue("Uniswap")] })).toBe(true);
    expect(names(words, [to(router)], { tokens: [venue("Lender")] })).toBe(false);
    expect(names(words, [to(router)])).toBe(false);
    expect(names(words, [to(bob)], { tokens: [venue("Uniswap")] })).toBe(false);
    expect(names(words, [to(router)], { tokens: [{ ...venue("Uniswap"), kind: "verb" }] })).toBe(false);
  });
  test("is a contract: an allowance to oneself or of no asset is not named", () => {
    const words = `Let ${bob} spend 5 USDC`;
    expect(names(words, [to(bob)])).toBe(true);
    expect(names(words, [to("self")])).toBe(false);
    expect(names(words, [to("venue")])).toBe(false);
    const { authority } = to(bob);
    const ofNothing = authority === null ? null : { ...authority, asset: null };
    expect(names(words, [anEffect({ act: "approve", authority: ofNothing })])).toBe(false);
  });
});

test("a venue that the request names must be one of the transaction's", () => {
  const venue = (text: string): HardToken => ({ kind: "venue", text, span: [0, 1], slot: "venue" });
  const at = (name: string | null): Effect =>
    anEffect({ act: "supply", gives: [flow(usdc, 1_500_000n)], receiver: "self", venue: name });
  const words = "Supply 1.5 USDC";
  expect(names(words, [at("uniswap_v3")], { tokens: [venue("Uniswap")] })).toBe(true);
  expect(names(words, [at("uniswap_v3")], { tokens: [venue("Lender"), venue("UNISWAP")] })).toBe(true);
  expect(names(words, [at("uniswap_v3")], { tokens: [venue("Lender")] })).toBe(false);
  expect(names(words, [at("uniswap_v3")])).toBe(true);
  expect(names(words, [at(null)], { tokens: [venue("Lender")] })).toBe(true);
  expect(names(words, [at("uniswap_v3")], { tokens: [{ ...venue("Lender"), kind: "verb" }] })).toBe(true);
});

test("a request that names chains names both ends of a bridge", () => {
  const on = (text: string): HardToken => ({ kind: "chain", text, span: [0, 1], slot: "chain" });
  const bridge = anEffect({ ...payment, act: "bridge", toChain: 8453 });
  const words = `1.5 USDC ${bob}`;
  const tokens = (...texts: readonly string[]) => ({ tokens: texts.map(on) });
  expect(names(words, [bridge], tokens("Ethereum", "Base"))).toBe(true);
  expect(names(words, [bridge], tokens("Base"))).toBe(false);
  expect(names(words, [bridge], tokens("Ethereum"))).toBe(false);
  expect(names(words, [bridge], tokens("Atlantis"))).toBe(false);
  expect(names(words, [payment], { tokens: [{ ...on("Base"), kind: "verb" }] })).toBe(true);
});
