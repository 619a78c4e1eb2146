/** Effects that a step implies without being requested, and effects that it does not imply. */
import { describe, expect, test } from "vitest";
import { exactly, token, type Authority, type Effect, type EffectAct } from "../effects.ts";
import type { Address } from "../proposal.ts";
import type { Quantity, Step } from "../intent.ts";
import { unlimitedFrom } from "./compare-authority.ts";
import { implied, strayApproval } from "./implied.ts";
import {
  aStep,
  aWorld,
  anApproval,
  anEffect,
  bob,
  flow,
  mallory,
  portion,
  router,
  usdc,
  weth,
} from "../../test/entail.ts";
import type { World } from "./world.ts";

const { where } = anEffect({});
const ruleOf = (effect: Effect, licensed: readonly Effect[] = [], world: World = aWorld([], [])) =>
  implied(effect, licensed, world)?.rule ?? null;

describe("an effect that costs nothing", () => {
  const empty = { act: "transfer" as const, receiver: "self" as const };
  const brought = { receiver: "self" as const, gets: [flow(usdc, 1n)] };
  const authority = anApproval(bob, 1n).authority;
  test.each<[string, Partial<Effect>, string | null]>([
    ["a call that does nothing", { act: "harmless" }, "moves no funds and grants no access"],
    ["a revocation", { act: "revoke" }, "only removes access"],
    [
      "the end of a delegation of code",
      { act: "admin", admin: { kind: "revoke_delegation", party: null } },
      "only removes access",
    ],
    ["another change of control", { act: "admin", admin: { kind: "add_owner", party: bob } }, null],
    ["an empty call to oneself", empty, "an empty call to your wallet"],
    ["nothing sent to oneself", { ...empty, gives: [flow(usdc, 0n)] }, "an empty call to your wallet"],
    ["one unit sent to oneself", { ...empty, gives: [flow(usdc, 1n)] }, null],
    ["nothing and one unit sent to oneself", { ...empty, gives: [flow(usdc, 0n), flow(weth, 1n)] }, null],
    ["an empty call to another", { ...empty, receiver: bob }, null],
    ["an empty supply", { ...empty, act: "supply" }, null],
    ["a claim", { ...brought, act: "claim" }, "only brings assets to your wallet"],
    ["a rest that is handed back", { ...brought, act: "forward" }, "only brings assets to your wallet"],
    ["a withdrawal", { ...brought, act: "withdraw" }, null],
    ["a claim that gives", { ...brought, act: "claim", gives: [flow(usdc, 1n)] }, null],
    ["a claim that appoints a spender", { ...brought, act: "claim", authority }, null],
    [
      "a claim that changes control",
      { ...brought, act: "claim", admin: { kind: "add_owner", party: bob } },
      null,
    ],
    ["a claim for another", { ...brought, act: "claim", receiver: bob }, null],
    [
      "a claim with a fee",
      { ...brought, act: "claim", fees: [{ to: bob, asset: token(usdc), share: exactly(1n), where }] },
      null,
    ],
  ])("%s", (_, done, rule) => {
    expect(ruleOf(anEffect(done))).toBe(rule);
  });
  test("needs no comparison", () => {
    expect(implied(anEffect({ act: "revoke" }), [], aWorld([], []))?.comparisons).toEqual([]);
  });
});

describe("pledging what is held", () => {
  const pledge = (name: string, venue: string | null = "lender"): Effect =>
    anEffect({ act: "harmless", function: name, venue });
  const lent = (act: EffectAct, venue = "lender"): Effect => anEffect({ act, venue });
  const rule = "pledges the collateral of a requested step";
  test.each<[string, Effect, readonly Effect[], string | null]>([
    ["with a loan", pledge("enterMarkets"), [lent("borrow")], rule],
    ["with a deposit", pledge("setUserUseReserveAsCollateral"), [lent("supply")], rule],
    ["with a loan after a payment", pledge("enterMarkets"), [lent("transfer"), lent("borrow")], rule],
    ["with a payment", pledge("enterMarkets"), [lent("transfer")], null],
    ["with a loan elsewhere", pledge("enterMarkets"), [lent("borrow", "another")], null],
    ["at an unknown contract", pledge("enterMarkets", null), [anEffect({ act: "borrow" })], null],
    ["alone", pledge("enterMarkets"), [], null],
    ["by a function of a longer name", pledge("enterMarketsNow"), [], "moves no funds and grants no access"],
    ["by a function that ends like it", pledge("reenterMarkets"), [], "moves no funds and grants no access"],
  ])("%s", (_, effect, licensed, expected) => {
    expect(ruleOf(effect, licensed)).toBe(expected);
  });
  test("is only a switch if the call moves nothing", () => {
    expect(ruleOf({ ...pledge("enterMarkets"), act: "revoke" })).toBe("only removes access");
  });
  test("needs no comparison", () => {
    expect(implied(pledge("enterMarkets"), [lent("borrow")], aWorld([], []))).toEqual({
      rule,
      comparisons: [],
    });
  });
  const asking = (words: string, ...venues: readonly Step["venues"][number][]): World => {
    const world = aWorld([aStep({ venues })], []);
    return { ...world, proposal: { ...world.proposal, words } };
  };
  const at = (venue: string, mode: "on" | "avoid" = "on"): Step["venues"][number] => ({
    ...{ venue, mode, span: [0, 1] },
  });
  test.each<[string, World, string | null, string | null]>([
    ["by words about collateral there", asking("use it as collateral", at("lender")), "lender", rule],
    [
      "by words about collateral there and elsewhere",
      asking("use it as collateral", at("another"), at("lender")),
      "lender",
      rule,
    ],
    ["by words about collateral elsewhere", asking("use it as collateral", at("another")), "lender", null],
    ["by words about collateral nowhere", asking("use it as collateral"), "lender", null],
    ["by other words there", asking("send it", at("lender")), "lender", null],
    ["by words to avoid it", asking("use it as collateral", at("lender", "avoid")), "lender", null],
    ["by words at an unknown contract", asking("use it as collateral", at("lender")), null, null],
  ])("is implied %s", (...[, world, venue, expected]) => {
    expect(ruleOf(pledge("enterMarkets", venue), [], world)).toBe(expected);
  });
});

describe("wrapping the native token", () => {
  const moves = (act: EffectAct, units: bigint, more: Partial<Effect> = {}): Effect =>
    anEffect({
      ...{ act, receiver: "self", knowledge: "bound", target: weth },
      gives: [flow(act === "wrap" ? "native" : weth, units)],
      gets: [flow(act === "wrap" ? weth : "native", units)],
      ...more,
    });
  const spends = (...gives: Effect["gives"]): Effect => anEffect({ act: "swap", gives });
  const brings = (...gets: Effect["gets"]): Effect => anEffect({ act: "swap", gets });
  const rule = "wraps the native token for a requested step";
  test.each<[string, Effect, readonly Effect[], string | null]>([
    ["as much as a step spends", moves("wrap", 5n), [spends(flow(weth, 5n))], rule],
    ["less than a step spends", moves("wrap", 4n), [spends(flow(weth, 5n))], rule],
    ["one unit more than a step spends", moves("wrap", 6n), [spends(flow(weth, 5n))], null],
    ["as much as two steps spend", moves("wrap", 6n), [spends(flow(weth, 5n)), spends(flow(weth, 1n))], rule],
    ["as much as two flows spend", moves("wrap", 6n), [spends(flow(weth, 5n), flow(weth, 1n))], rule],
    [
      "as much as the step spends of two tokens",
      moves("wrap", 6n),
      [spends(flow(weth, 5n), flow(usdc, 1n))],
      null,
    ],
    ["in two parts, one too many", moves("wrap", 5n, twice("native", 3n)), [spends(flow(weth, 5n))], null],
    ["for a step that spends another token", moves("wrap", 5n), [spends(flow(usdc, 5n))], null],
    ["for a step that spends the native token", moves("wrap", 5n), [spends(flow("native", 5n))], null],
    ["for a step that brings it", moves("wrap", 5n), [brings(flow(weth, 5n))], null],
    ["for no step", moves("wrap", 5n), [], null],
    ["nothing for no step", moves("wrap", 0n), [], null],
    ["for another", moves("wrap", 5n, { receiver: bob }), [spends(flow(weth, 5n))], null],
    ["by a selector alone", moves("wrap", 5n, { knowledge: "selector" }), [spends(flow(weth, 5n))], null],
    ["by an unknown call", moves("wrap", 5n, { knowledge: "none" }), [spends(flow(weth, 5n))], null],
    ["back what a step brings", moves("unwrap", 5n), [brings(flow(weth, 5n))], rule],
    ["back more than a step is sure to bring", moves("unwrap", 6n), [brings(flow(weth, 5n))], rule],
    ["back what a step spends", moves("unwrap", 5n), [spends(flow(weth, 5n))], null],
    ["back for no step", moves("unwrap", 5n), [], null],
    ["by another act", moves("stake", 5n), [spends(flow(weth, 5n))], null],
    ["back by another act", moves("stake", 5n), [brings(flow(weth, 5n))], null],
  ])("%s", (_, effect, licensed, expected) => {
    expect(ruleOf(effect, licensed)).toBe(expected);
  });
  test("needs no comparison", () => {
    expect(implied(moves("wrap", 5n), [spends(flow(weth, 5n))], aWorld([], []))).toEqual({
      rule,
      comparisons: [],
    });
  });
  test("is not implied if the chain or its wrapped native token is unknown", () => {
    const world = aWorld([], []);
    const unknown = { ...world, registry: { ...world.registry, chain: () => null } };
    expect(ruleOf(moves("wrap", 5n), [spends(flow(weth, 5n))], unknown)).toBeNull();
    expect(ruleOf(moves("wrap", 5n), [spends(flow("native", 5n))], unknown)).toBeNull();
  });
});

function twice(asset: "native" | Address, units: bigint): Partial<Effect> {
  return { gives: [flow(asset, units), flow(asset, units)] };
}

describe("the allowance that a step needs", () => {
  const supplied = (units: bigint, target: Address = router): Effect =>
    anEffect({ act: "supply", gives: [flow(usdc, units)], target });
  const granted = (more: Partial<Authority>): Effect => {
    const effect = anApproval(router, 5n);
    return effect.authority === null ? effect : { ...effect, authority: { ...effect.authority, ...more } };
  };
  const outcome = (
    effect: Effect,
    licensed: readonly Effect[],
    { before = [], steps = [] }: { before?: readonly Effect[]; steps?: readonly Step[] } = {},
  ): string | null => implied(effect, licensed, aWorld(steps, []), before)?.comparisons[0]?.outcome ?? null;

  test("is compared with what the step takes", () => {
    expect(implied(anApproval(router, 6_000_000n), [supplied(5_000_000n)], aWorld([], []))).toEqual({
      rule: "the allowance that a step needs",
      comparisons: [
        {
          slot: "scope",
          outcome: "differs",
          asked: "what the step needs: 5 USDC",
          does: `${router} may take 6 USDC`,
          words: null,
          where,
          confidence: 0.95,
          fix: "Approve USDC for no more than the step needs.",
        },
      ],
    });
  });
  test.each<[string, Effect, readonly Effect[], string | null]>([
    ["of just that", anApproval(router, 5n), [supplied(5n)], "same"],
    ["of less", anApproval(router, 4n), [supplied(5n)], "same"],
    ["of one unit more", anApproval(router, 6n), [supplied(5n)], "differs"],
    ["of what two steps take", anApproval(router, 6n), [supplied(5n), supplied(1n)], "same"],
    ["of what steps elsewhere take", anApproval(router, 5n), [supplied(5n, bob)], null],
    ["of what one step here takes", anApproval(router, 6n), [supplied(5n), supplied(1n, bob)], "differs"],
    ["of nothing that is taken", anApproval(router, 5n), [supplied(0n)], null],
    ["of no asset", granted({ asset: null }), [supplied(5n)], null],
    ["of another asset", granted({ asset: token(weth) }), [supplied(5n)], null],
    ["of none at all", anEffect({ act: "approve" }), [supplied(5n)], null],
    ["for the owner", granted({ spender: "self" }), [supplied(5n, "self" as Address)], null],
    ["for the called contract", granted({ spender: "venue" }), [supplied(5n, "venue" as Address)], null],
    ["that is not an approval", { ...anApproval(router, 5n), act: "supply" }, [supplied(5n)], null],
  ])("%s", (_, effect, licensed, expected) => {
    expect(outcome(effect, licensed)).toBe(expected);
  });
  test.each<[string, readonly Effect[], bigint, string]>([
    ["part of it", [anApproval(router, 3n)], 2n, "same"],
    ["part of it, and one unit more", [anApproval(router, 3n)], 3n, "differs"],
    ["all of it", [anApproval(router, 5n)], 1n, "differs"],
    ["more than all of it", [anApproval(router, 9n)], 1n, "differs"],
    ["more than all of it, and nothing is added", [anApproval(router, 9n)], 0n, "same"],
    ["another spender's", [anApproval(mallory, 3n)], 5n, "same"],
    ["another asset's", [granted({ asset: token(weth) })], 5n, "same"],
    ["the account's", [granted({ asset: null })], 5n, "same"],
    ["nothing", [anEffect({ act: "approve" })], 5n, "same"],
  ])("counts what was granted before: %s", (_, before, units, expected) => {
    expect(outcome(anApproval(router, units), [supplied(5n)], { before })).toBe(expected);
  });
  const unlimited: Quantity = { kind: "unlimited", span: [0, 1] };
  const saying = (...quantities: readonly (Quantity | null)[]): Step =>
    aStep({ gives: quantities.map((quantity) => ({ asset: null, quantity })) });
  test.each<[string, readonly Step[], bigint, string]>([
    ["asked for", [saying(unlimited)], unlimitedFrom, "same"],
    ["asked for in another portion", [saying(null, unlimited)], unlimitedFrom, "same"],
    ["asked for in another step", [saying(null), saying(unlimited)], unlimitedFrom, "same"],
    ["asked for, one unit lower", [saying(unlimited)], unlimitedFrom - 1n, "differs"],
    ["not asked for", [aStep({ gives: [portion("5", "USDC")] })], unlimitedFrom, "differs"],
  ])("may be unlimited if that is %s", (_, steps, units, expected) => {
    expect(outcome(anApproval(router, units), [supplied(5n)], { steps })).toBe(expected);
  });
});

describe("an approval that no step needs", () => {
  const world = aWorld([], []);
  const found = {
    ...{ slot: "spender", outcome: "differs", asked: "no allowance", words: null, where },
    ...{ confidence: 1, fix: "Remove the approval, or ask for it in the request." },
  };
  test("is reported with its spender", () => {
    expect(strayApproval(anApproval(bob, 5_000_000n), world)).toEqual([
      { ...found, does: `lets ${bob} take 5 USDC` },
    ]);
  });
  test("of the account itself is reported as such", () => {
    const { authority } = anApproval(bob, 5n);
    const effect = anEffect({
      act: "approve",
      authority: authority === null ? null : { ...authority, asset: null },
    });
    expect(strayApproval(effect, world)).toEqual([{ ...found, does: `lets ${bob} take the account` }]);
  });
  test("is neither another act nor an approval of nothing", () => {
    expect(strayApproval({ ...anApproval(bob, 5n), act: "supply" }, world)).toEqual([]);
    expect(strayApproval(anEffect({ act: "approve" }), world)).toEqual([]);
    expect(strayApproval(anEffect({ act: "supply" }), world)).toEqual([]);
  });
});
