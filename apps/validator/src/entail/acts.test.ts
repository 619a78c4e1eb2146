/** Which acts a verb licenses. */
import { describe, expect, test } from "vitest";
import type { Effect, EffectAct } from "../effects.ts";
import type { Act, Portion, Step } from "../intent.ts";
import { isReversed, licensesAct, movesWithMarket } from "./acts.ts";
import { aStep, aWorld, anEffect, flow, mallory, portion, usdc, weth } from "../../test/entail.ts";
import type { World } from "./world.ts";

const judge = (
  said: Partial<Step>,
  done: Partial<Effect>,
  words = "words",
  more: Partial<Pick<World, "protocols" | "registry">> = {},
) => {
  const [step, effect] = [aStep({ span: [0, words.length], ...said }), anEffect(done)];
  const world = aWorld([step], [effect]);
  const at = { ...world, proposal: { ...world.proposal, words }, ...more };
  return { licence: licensesAct(step, effect, at), reversed: isReversed(step, effect, at) };
};

describe("a verb", () => {
  test.each<[readonly Act[], EffectAct, number]>([
    [["supply"], "supply", 1],
    [["supply", "stake"], "stake", 0.95],
    [["supply", "stake", "wrap"], "wrap", 0.95],
    [["supply"], "stake", 0],
    [["supply"], "opaque", 0],
    [[], "supply", 0],
  ])("that may mean %s licenses %s by %d", (acts, act, expected) => {
    expect(judge({ acts }, { act }).licence).toBe(expected);
  });
  const opposites: readonly (readonly [Act, Act])[] = [
    ["supply", "withdraw"],
    ["borrow", "repay"],
    ["wrap", "unwrap"],
    ["stake", "unstake"],
    ["approve", "revoke"],
    ["add_liquidity", "remove_liquidity"],
    ["buy_nft", "sell_nft"],
    ["withdraw", "borrow"],
    ["supply", "borrow"],
  ];
  test.each(opposites.flatMap(([a, b]) => [[a, b] as const, [b, a] as const]))(
    "that first means %s never means %s",
    (first, second) => {
      expect(judge({ acts: [first, second] }, { act: second })).toEqual({ licence: 0, reversed: true });
      expect(judge({ acts: [first] }, { act: second })).toEqual({ licence: 0, reversed: true });
    },
  );
  test("is not reversed by an act that is merely different", () => {
    expect(judge({ acts: ["supply"] }, { act: "stake" }).reversed).toBe(false);
    expect(judge({ acts: ["supply"] }, { act: "supply" }).reversed).toBe(false);
  });
  test.each<[Act, EffectAct]>([
    ["claim", "withdraw"],
    ["withdraw", "claim"],
    ["swap", "sell_nft"],
    ["sell_nft", "swap"],
  ])("that means %s is not reversed by %s, which only has an opposite of its own", (said, act) => {
    expect(judge({ acts: [said] }, { act })).toEqual({ licence: 0, reversed: false });
    expect(judge({ acts: [said, act as Act] }, { act })).toEqual({ licence: 0.95, reversed: false });
  });
  test("means a loan as a secondary meaning only if the request names a debt", () => {
    expect(judge({ acts: ["swap", "borrow"] }, { act: "borrow" }, "get 100 USDC").licence).toBe(0);
    expect(judge({ acts: ["swap", "borrow"] }, { act: "borrow" }, "get a loan of 100 USDC").licence).toBe(
      0.95,
    );
    expect(
      judge({ acts: ["swap", "borrow"], span: [0, 3] }, { act: "borrow" }, "get a loan of 100 USDC").licence,
    ).toBe(0);
  });
});

describe("a venue's own verbs", () => {
  test("license the acts that the venue means by them", () => {
    expect(judge({ acts: ["stake"] }, { act: "supply", venue: "lender" }).licence).toBe(0.9);
    expect(judge({ acts: ["claim", "stake"] }, { act: "supply", venue: "lender" }).licence).toBe(0.9);
  });
  const { protocols } = aWorld([], []);
  test("may be the opposite act, which is then not reversed", () => {
    const comet = { ...protocols, all: new Map([["comet", { verbs: { borrow: ["withdraw" as const] } }]]) };
    const borrow = (venue: string) =>
      judge({ acts: ["borrow"] }, { act: "withdraw", venue }, "words", { protocols: comet });
    expect(borrow("comet")).toEqual({ licence: 0.9, reversed: false });
    expect(borrow("lender")).toEqual({ licence: 0, reversed: true });
  });
  test("license nothing at a venue that has no verbs of its own", () => {
    const plain = { ...protocols, all: new Map([["plain", {}]]) };
    expect(
      judge({ acts: ["stake"] }, { act: "supply", venue: "plain" }, "words", { protocols: plain }).licence,
    ).toBe(0);
  });
  test.each<[string, readonly Act[], Partial<Effect>]>([
    ["another venue", ["stake"], { act: "supply", venue: "another" }],
    ["no venue", ["stake"], { act: "supply", venue: null }],
    ["another act", ["stake"], { act: "borrow", venue: "lender" }],
    ["another verb", ["claim"], { act: "supply", venue: "lender" }],
  ])("license nothing at %s", (_, acts, done) => {
    expect(judge({ acts }, done).licence).toBe(0);
  });
});

describe("setting an allowance to zero", () => {
  const zero: Portion = portion("0", "USDC");
  test.each<[string, Partial<Step>, EffectAct, number]>([
    ["is a revocation", { acts: ["approve"], gives: [zero] }, "revoke", 1],
    [
      "is a revocation as a second portion",
      { acts: ["swap", "approve"], gives: [portion("1", "USDC"), zero] },
      "revoke",
      1,
    ],
    ["is not a revocation with an amount", { acts: ["approve"], gives: [portion("1", "USDC")] }, "revoke", 0],
    [
      "is not a revocation without an amount",
      { acts: ["approve"], gives: [portion(null, "USDC")] },
      "revoke",
      0,
    ],
    [
      "is not a revocation with at most zero",
      {
        acts: ["approve"],
        gives: [{ asset: null, quantity: { kind: "most", n: { digits: 0n, scale: 0 }, span: [0, 1] } }],
      },
      "revoke",
      0,
    ],
    ["is not a revocation without the verb", { acts: ["swap"], gives: [zero] }, "revoke", 0],
    ["is not another act", { acts: ["approve"], gives: [zero] }, "supply", 0],
  ])("%s", (_, said, act, expected) => {
    expect(judge(said, { act }).licence).toBe(expected);
  });
});

describe("withdrawing a delegation of code", () => {
  const admin = (kind: string): Partial<Effect> => ({ act: "admin", admin: { kind, party: null } });
  test("may be called a revocation", () => {
    expect(judge({ acts: ["revoke"] }, admin("revoke_delegation")).licence).toBe(0.95);
    expect(judge({ acts: ["swap", "revoke"] }, admin("revoke_delegation")).licence).toBe(0.95);
    expect(judge({ acts: ["revoke"] }, admin("delegate_code")).licence).toBe(0);
    expect(judge({ acts: ["swap"] }, admin("revoke_delegation")).licence).toBe(0);
  });
});

describe("a swap whose assets make it a conversion", () => {
  const swap = (get: Portion): Partial<Step> => ({ acts: ["swap"], gets: [get] });
  const wrapped: Partial<Effect> = { act: "wrap", gets: [flow(weth, 1n)] };
  const receipt = { gets: [], target: weth };
  test.each<[string, Partial<Step>, Partial<Effect>, number]>([
    ["brings the asset", swap(portion(null, "WETH")), wrapped, 0.9],
    [
      "brings it as one of two",
      swap(portion(null, "WETH")),
      { ...wrapped, gets: [flow(usdc, 1n), flow(weth, 1n)] },
      0.9,
    ],
    ["brings another", swap(portion(null, "USDC")), wrapped, 0],
    [
      "brings the native token",
      swap(portion(null, "ETH")),
      { act: "unwrap", gets: [flow("native", 1n)] },
      0.9,
    ],
    ["calls the receipt's contract", swap(portion(null, "WETH")), { act: "stake", ...receipt }, 0.9],
    [
      "calls the receipt's contract to unstake",
      swap(portion(null, "WETH")),
      { act: "unstake", ...receipt },
      0.9,
    ],
    [
      "calls the receipt's contract to supply",
      swap(portion(null, "WETH")),
      { act: "supply", ...receipt },
      0.9,
    ],
    [
      "calls the receipt's contract to withdraw",
      swap(portion(null, "WETH")),
      { act: "withdraw", ...receipt },
      0.9,
    ],
    [
      "calls the receipt's contract and brings another",
      swap(portion(null, "WETH")),
      { act: "stake", gets: [flow(usdc, 1n)], target: weth },
      0,
    ],
    ["calls nothing", swap(portion(null, "WETH")), { act: "stake", gets: [], target: null }, 0],
    ["is no conversion", swap(portion(null, "WETH")), { act: "bridge", ...receipt }, 0],
    ["is asked for by another verb", { ...swap(portion(null, "WETH")), acts: ["transfer"] }, wrapped, 0],
    [
      "is asked for as a second meaning",
      { ...swap(portion(null, "WETH")), acts: ["transfer", "swap"] },
      wrapped,
      0.9,
    ],
    ["names nothing that comes", { acts: ["swap"], gets: [] }, wrapped, 0],
    ["names no asset that comes", swap(portion("1", null)), wrapped, 0],
    [
      "names it by address",
      swap({ asset: { kind: "address", address: weth, span: [0, 1] }, quantity: null }),
      wrapped,
      0,
    ],
  ])("%s", (_, said, done, expected) => {
    expect(judge(said, done).licence).toBe(expected);
  });
});

test("a swap for a symbol of two tokens is a conversion into either", () => {
  const { registry } = aWorld([], []);
  const named: World["registry"]["named"] = (chain) =>
    [weth, mallory].map((address) => ({ chain, address, symbol: "X", decimals: 18, core: true }));
  const into = (of: typeof weth) =>
    judge({ acts: ["swap"], gets: [portion(null, "X")] }, { act: "wrap", gets: [flow(of, 1n)] }, "words", {
      registry: { ...registry, named },
    }).licence;
  expect([into(weth), into(mallory), into(usdc)]).toEqual([0.9, 0.9, 0]);
});

test.each<[EffectAct, boolean]>([
  ["swap", true],
  ["add_liquidity", true],
  ["remove_liquidity", true],
  ["bridge", true],
  ["buy_nft", true],
  ["sell_nft", true],
  ["transfer", false],
  ["supply", false],
])("whether the outcome of %s depends on the market: %s", (act, expected) => {
  expect(movesWithMarket(act)).toBe(expected);
});
