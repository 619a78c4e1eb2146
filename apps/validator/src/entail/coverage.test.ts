/** Words that no step took, things that must not happen, and conditions that the transaction cannot hold. */
import { describe, expect, test } from "vitest";
import { nft, token, type Effect, type EffectAct, type Flow } from "../effects.ts";
import type { HardToken, Intent, Negation, PartyRef, Span, Step } from "../intent.ts";
import type { Address } from "../proposal.ts";
import { brokenTerms, openConditions, unreadWords } from "./coverage.ts";
import {
  aStep,
  aWorld,
  address,
  anApproval,
  anEffect,
  bob,
  dec,
  flow,
  mallory,
  me,
  router,
  symbol,
  usdc,
  weth,
} from "../../test/entail.ts";

const span: Span = [2, 5];
const where = { call: "proposed_tx", field: "x" };
const almostBob: Address = "0x2222222222222222222222222222222222222223";
const word = (kind: HardToken["kind"], text: string, slot: string | null = null): HardToken => ({
  kind,
  text,
  span,
  slot,
});
const saying = (tokens: readonly HardToken[], effects: readonly Effect[], words = "words") => {
  const world = aWorld([], effects, { intent: { tokens } });
  return { ...world, proposal: { ...world.proposal, words } };
};
const broken = (tokens: readonly HardToken[], effects: readonly Effect[]) =>
  brokenTerms(saying(tokens, effects)).map(({ text }) => text);
const unread = (tokens: readonly HardToken[], effects: readonly Effect[]) =>
  unreadWords(saying(tokens, effects)).map(({ text }) => text);

describe("an address that no step took", () => {
  const choice = (value: string): Effect["choices"][number] => ({ what: "pool", value, known: true, where });
  const piece: Flow = { ...flow(usdc, 1n), asset: nft(bob, 1n) };
  test.each<[string, Partial<Effect>, boolean]>([
    ["is called", { target: bob }, true],
    ["receives", { receiver: bob }, true],
    ["may spend", { ...anApproval(bob, 1n) }, true],
    ["is listed by an act of control", { admin: { kind: "swap_owner", party: me, listed: bob } }, true],
    ["is picked", { choices: [choice(bob)] }, true],
    ["is a token that leaves", { gives: [flow(bob, 1n)] }, true],
    ["is a token that arrives", { gets: [flow(bob, 1n)] }, true],
    ["is a collection", { gives: [piece] }, true],
    [
      "has another last digit",
      { target: almostBob, receiver: almostBob, ...{ gives: [flow(almostBob, 1n)] } },
      false,
    ],
    ["has another last digit than the one that is picked", { choices: [choice(almostBob)] }, false],
    ["has no part in it", { gives: [flow("native", 1n)] }, false],
  ])("that %s", (_, done, answered) => {
    const effects = [anEffect({}), anEffect({ target: mallory, ...done })];
    expect(broken([word("address", bob)], effects)).toEqual(answered ? [] : [bob]);
    expect(broken([word("address", bob.toUpperCase())], effects)).toEqual(
      answered ? [] : [bob.toUpperCase()],
    );
    expect(unread([word("address", bob)], effects)).toEqual([]);
  });
  test("may be the owner's own", () => {
    expect(broken([word("address", me)], [anEffect({})])).toEqual([]);
  });
  test("is not reported if a step took it", () => {
    expect(broken([word("address", bob, "to")], [anEffect({})])).toEqual([]);
  });
  test("is reported with its place and the reason", () => {
    expect(brokenTerms(saying([word("address", bob)], []))).toEqual([
      { text: bob, span, why: "the transaction does not involve this address" },
    ]);
  });
});

describe("another word that no step took", () => {
  const moving = anEffect({
    gives: [flow(usdc, 1n)],
    gets: [flow("native", 1n)],
    venue: "uniswap_v3",
    toChain: 8453,
  });
  test.each<[HardToken["kind"], string, boolean]>([
    ["asset", "USDC", true],
    ["asset", "eth", true],
    ["asset", "WETH", false],
    ["asset", "USDT", false],
    ["venue", "Uniswap", true],
    ["venue", "uniswap_v2", false],
    ["chain", "Ethereum", true],
    ["chain", "Base", true],
    ["chain", "Polygon", false],
    ["verb", "hurry", true],
    ["bound", "at least", true],
    ["number", "5", false],
    ["name", "bob.eth", false],
    ["time", "tomorrow", false],
    ["negation", "not", false],
    ["condition", "if", false],
  ])("%s “%s” is answered: %s", (kind, text, answered) => {
    expect(unread([word(kind, text)], [anEffect({}), moving])).toEqual(answered ? [] : [text]);
    expect(unread([word(kind, text, "note")], [])).toEqual([]);
    expect(broken([word(kind, text)], [moving])).toEqual([]);
  });
  test("is not answered by an effect without a venue or destination", () => {
    expect(unread([word("venue", "uniswap"), word("chain", "base")], [anEffect({})])).toEqual([
      "uniswap",
      "base",
    ]);
  });
  test("is reported with its place and the reason", () => {
    expect(unreadWords(saying([word("number", "5")], []))).toEqual([
      { text: "5", span, why: "we could not tell what this refers to" },
    ]);
  });
  const voted = anEffect({ choices: [{ what: "proposal", value: "42", known: false, where }] });
  test.each<[string, Span, boolean]>([
    ["inside", [17, 19], true],
    ["all of", [8, 19], true],
    ["starting before", [7, 19], false],
    ["ending after", [17, 20], false],
  ])("may be %s a choice of the contract's caller", (_, at, answered) => {
    const world = saying([{ ...word("number", "42"), span: at }], [voted], "vote on proposal 42 now");
    expect(unreadWords(world)).toHaveLength(answered ? 0 : 1);
  });
});

describe("a pool fee in the request", () => {
  const swap = (value?: string): Effect =>
    anEffect({ choices: value === undefined ? [] : [{ what: "pool", value, known: true, where }] });
  const words = "swap it in the 0.3% pool";
  test.each<[string, Effect, number]>([
    ["is compared with the pool of the transaction", swap("0.3% fee"), 0],
    ["is left to the comparison where it is another fee", swap("1% fee"), 0],
    ["is unread where the transaction shows no pool", swap(), 1],
    ["is unread where the transaction shows a pool without a fee", swap("stable pool"), 1],
  ])("%s", (_, effect, count) => {
    const found = unreadWords(saying([], [effect], words));
    expect(found).toHaveLength(count);
    if (count > 0)
      expect(found[0]).toEqual({
        text: "0.3% pool",
        span: [15, 24],
        why: "the transaction does not show a pool fee",
      });
  });
  test("is compared if any of the effects shows one", () => {
    expect(unreadWords(saying([], [swap(), swap("0.3% fee")], words))).toEqual([]);
  });
  test("is unread if only something other than a pool has a fee", () => {
    const hook = anEffect({ choices: [{ what: "hook", value: "0.3% fee", known: true, where }] });
    expect(unreadWords(saying([], [hook], words))).toHaveLength(1);
  });
});

test("a restriction that no rule can compare is unread, and one that every request has is not", () => {
  const negations: readonly Negation[] = [
    { kind: "unchecked", span },
    { kind: "other", span },
    { kind: "fee", span },
  ];
  const world = aWorld([], [], { intent: { negations } });
  expect(unreadWords(world)).toEqual([{ text: "rds", span, why: "we cannot check this restriction" }]);
});

describe("a forbidden act", () => {
  const breach = (
    negation: Partial<Negation> & Pick<Negation, "kind">,
    effects: readonly Effect[],
    intent: Partial<Intent> = {},
  ) => {
    const world = aWorld([], effects, { intent: { negations: [{ span, ...negation }], ...intent } });
    return brokenTerms(world);
  };
  const why = (...given: Parameters<typeof breach>): readonly string[] =>
    breach(...given).map((unmet) => unmet.why);
  const calm = anEffect({ gives: [flow(usdc, 1n)] });
  test("is quoted from the request", () => {
    expect(
      breach({ kind: "fee" }, [
        anEffect({ fees: [{ to: bob, asset: token(usdc), share: { bps: 1n }, where }] }),
      ]),
    ).toEqual([{ text: "rds", span, why: "a fee is paid" }]);
  });
  const unlimited = 2n ** 96n - 1n;
  const party = (of: PartyRef): Partial<Negation> & Pick<Negation, "kind"> => ({ kind: "party", party: of });
  test.each<[string, Partial<Negation> & Pick<Negation, "kind">, Effect, string | null]>([
    [
      "an unlimited allowance",
      { kind: "unlimited_approval" },
      anApproval(bob, unlimited),
      "an unlimited allowance is given",
    ],
    ["an allowance one unit lower", { kind: "unlimited_approval" }, anApproval(bob, unlimited - 1n), null],
    ["no allowance at all", { kind: "unlimited_approval" }, calm, null],
    ["an allowance", { kind: "approval" }, anApproval(bob, 1n), "an allowance is given"],
    ["no allowance", { kind: "approval" }, calm, null],
    [
      "the venue",
      { kind: "venue", venue: "uniswap" },
      anEffect({ venue: "uniswap_v3" }),
      "it goes through that venue",
    ],
    ["another venue", { kind: "venue", venue: "uniswap" }, anEffect({ venue: "uniswap_v2" }), null],
    ["no venue", { kind: "venue", venue: "uniswap" }, anEffect({ venue: null }), null],
    ["a venue where none is named", { kind: "venue" }, anEffect({ venue: "uniswap_v3" }), null],
    ["the act", { kind: "act", acts: ["swap", "transfer"] }, calm, "it does exactly that"],
    ["another act", { kind: "act", acts: ["swap", "supply"] }, calm, null],
    ["no act at all", { kind: "act" }, calm, null],
    ["the asset", { kind: "asset", asset: symbol("USDC") }, calm, "that asset leaves your wallet"],
    ["another asset", { kind: "asset", asset: symbol("WETH") }, calm, null],
    ["an unknown asset", { kind: "asset", asset: symbol("DAI") }, calm, null],
    ["no asset at all", { kind: "asset" }, calm, null],
    [
      "the asset that arrives",
      { kind: "asset", asset: symbol("WETH") },
      anEffect({ gets: [flow(weth, 1n)] }),
      null,
    ],
    [
      "the wrapped token for the native token",
      { kind: "asset", asset: symbol("ETH") },
      anEffect({ gives: [flow(weth, 1n)] }),
      null,
    ],
    ["the party as receiver", party(address(bob)), anEffect({ receiver: bob }), "it goes to that party"],
    ["the party as spender", party(address(bob)), anApproval(bob, 1n), "it goes to that party"],
    ["another party", party(address(bob)), anEffect({ receiver: almostBob }), null],
    ["no party", party(address(bob)), anEffect({ receiver: null }), null],
    ["the party of a revocation", party(address(bob)), { ...anApproval(bob, 0n), act: "revoke" }, null],
    ["a party where none is named", { kind: "party" }, anEffect({ receiver: bob }), null],
    [
      "a party that cannot be resolved",
      party({ kind: "contact", label: "Bob", span }),
      anEffect({ receiver: bob }),
      null,
    ],
    [
      "a partial fill",
      { kind: "partial_fill" },
      anEffect({ terms: { partial: true } }),
      "the order may be filled in part",
    ],
    ["no partial fill", { kind: "partial_fill" }, anEffect({ terms: { partial: false } }), null],
    ["no fee", { kind: "fee" }, calm, null],
    ["the chain", { kind: "chain", chain: "ethereum" }, calm, "it happens on that chain"],
    ["another chain", { kind: "chain", chain: "base" }, calm, null],
    [
      "the chain it goes to",
      { kind: "chain", chain: "base" },
      anEffect({ toChain: 8453 }),
      "it happens on that chain",
    ],
    ["a chain that is not known", { kind: "chain", chain: "nowhere" }, calm, null],
    ["a chain where none is named", { kind: "chain" }, calm, null],
    ["anything else", { kind: "other" }, calm, null],
    ["what no rule compares", { kind: "unchecked" }, calm, null],
  ])("%s", (_, negation, effect, expected) => {
    expect(why(negation, [anEffect({ act: "harmless" }), effect])).toEqual(
      expected === null ? [] : [expected],
    );
  });

  const asking: Partial<Intent> = { steps: [aStep({ acts: ["approve"] })] };
  const supplied = anEffect({ act: "supply", gives: [flow(usdc, 5n)], target: router });
  test.each<[string, readonly Effect[], Partial<Intent>, string | null]>([
    ["one that is used up", [anApproval(router, 5n), supplied], asking, null],
    ["one that leaves one unit", [anApproval(router, 6n), supplied], asking, "an allowance is left"],
    [
      "two, one of which is left",
      [anApproval(router, 5n), anApproval(bob, 5n), supplied],
      asking,
      "an allowance is left",
    ],
    ["one over something unknown", [anEffect({ act: "approve" }), supplied], asking, "an allowance is left"],
    ["none", [supplied], asking, null],
    ["one that is used up, unasked", [anApproval(router, 5n), supplied], {}, "an allowance is given"],
    [
      "one that is asked for as a second meaning",
      [anApproval(router, 5n), supplied],
      { steps: [aStep({ acts: ["supply", "approve"] })] },
      "an allowance is given",
    ],
  ])("no allowance beyond a request to approve: %s", (_, effects, intent, expected) => {
    expect(why({ kind: "approval" }, effects, intent)).toEqual(expected === null ? [] : [expected]);
  });
});

describe("a condition", () => {
  const limitPrice: Step["limitPrice"] = { n: dec("3000"), base: null, quote: null, side: "least", span };
  const swap = (least: bigint, act: EffectAct = "swap"): Effect =>
    anEffect({ act, gets: [flow(usdc, least)] });
  const open = (
    kind: Step["conditions"][number]["kind"],
    more: Partial<Step>,
    effects: readonly Effect[] = [],
  ) => openConditions(aWorld([aStep({ conditions: [{ said: "if so", kind, span }], ...more })], effects));
  test("that the transaction cannot hold is open", () => {
    expect(open("other", {})).toEqual([
      {
        slot: "terms",
        outcome: "cannot_tell",
        asked: "“if so”",
        does: "acts as soon as it is sent",
        words: span,
        where: null,
        confidence: 1,
        fix: "Remove the condition from the request once it is met.",
      },
    ]);
  });
  test.each<[string, Step["conditions"][number]["kind"], Partial<Step>, readonly Effect[], number]>([
    ["on gas without a limit", "gas", {}, [], 1],
    ["on gas with a limit", "gas", { gas: {} }, [], 0],
    ["on time without a deadline", "time", {}, [], 1],
    ["on time with a deadline", "time", { deadline: { kind: "until", unix: 1n, span } }, [], 0],
    ["on time with a gas limit", "time", { gas: {} }, [], 1],
    ["on gas with a deadline", "gas", { deadline: { kind: "until", unix: 1n, span } }, [], 1],
    ["on a price with a minimum", "price", { limitPrice }, [swap(2n)], 0],
    ["on a price with a minimum among others", "price", { limitPrice }, [swap(0n), swap(2n)], 0],
    [
      "on a price with a minimum for one of two assets",
      "price",
      { limitPrice },
      [anEffect({ act: "swap", gets: [flow(usdc, 0n), flow(weth, 2n)] })],
      0,
    ],
    ["on a price with a minimum of one unit", "price", { limitPrice }, [swap(1n)], 1],
    ["on a price without a swap", "price", { limitPrice }, [swap(2n, "supply")], 1],
    ["on a price that is not a limit", "price", {}, [swap(2n)], 1],
    ["on something else with a price", "other", { limitPrice }, [swap(2n)], 1],
  ])("%s", (...[, kind, more, effects, times]) => {
    expect(open(kind, more, effects)).toHaveLength(times);
  });
});
