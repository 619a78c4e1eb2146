/** Slippage, price, deadline, gas and partial fills of the request compared with the transaction. */
import { describe, expect, test } from "vitest";
import { MAX_UINT, type Effect, type EffectAct, type Where } from "../effects.ts";
import type { Comparison } from "../entailment.ts";
import type { AssetRef, Span, Step } from "../intent.ts";
import type { Context, Proposal } from "../proposal.ts";
import { compareTerms, impliedLossBps } from "./compare-terms.ts";
import {
  aStep,
  aWorld,
  anApproval,
  anEffect,
  bob,
  dec,
  flow,
  mallory,
  symbol,
  usdc,
  weth,
} from "../../test/entail.ts";

const span: Span = [3, 7];
const minimumAt: Where = { call: "proposed_tx", field: "amountOutMin" };
const { where } = anEffect({});
const ONE = 10n ** 18n;
const now = 1_700_000_000n;

type Given = { readonly context?: Partial<Context>; readonly gas?: Partial<Proposal["gas"]> };
const compare = (
  said: Partial<Step>,
  done: Partial<Effect>,
  { context = {}, gas = {} }: Given = {},
): Comparison[] => {
  const [step, effect] = [aStep(said), anEffect(done)];
  const world = aWorld([step], [effect], { context });
  const proposal = { ...world.proposal, gas: { ...world.proposal.gas, ...gas } };
  return compareTerms({ step, effect, index: { step: 0, effect: 0 } }, { ...world, proposal });
};
const brief = (...given: Parameters<typeof compare>): readonly string[] =>
  compare(...given).map(({ slot, outcome }) => `${slot} ${outcome}`);

const priced: Given = { context: { prices: new Map([["ETH", 3000]]) } };
const swap = (least: bigint, more: Partial<Effect> = {}): Partial<Effect> => ({
  act: "swap",
  gives: [flow(usdc, 3_000_000_000n)],
  gets: [flow("native", { least, most: MAX_UINT })],
  ...more,
});

test("a request without terms is compared with nothing", () => {
  expect(compare({}, swap(1n))).toEqual([]);
});

describe("impliedLossBps", () => {
  const loss = (done: Partial<Effect>, context: Partial<Context> = { prices: new Map([["ETH", 3000]]) }) =>
    impliedLossBps(anEffect(done), aWorld([], [], { context }));
  test.each<[string, Partial<Effect>, number | null]>([
    ["a fair return", swap(ONE), 0],
    ["a tenth less", swap((ONE * 9n) / 10n), 1000],
    ["a tenth more", swap((ONE * 11n) / 10n), -1000],
    ["one hundredth of a percent less", swap((ONE * 9999n) / 10_000n), 1],
    ["two assets given", swap(ONE, { gives: [flow(usdc, 3_000_000_000n), flow(weth, ONE)] }), 5000],
    ["two assets returned", swap(ONE, { gets: [flow(usdc, 1_500_000_000n), flow(weth, ONE / 2n)] }), 0],
    ["the most that is given", swap(ONE, { gives: [flow(usdc, { least: 0n, most: 6_000_000_000n })] }), 5000],
    ["nothing given", swap(ONE, { gives: [] }), null],
    ["nothing returned", swap(ONE, { gets: [] }), null],
    ["an amount of zero given", swap(ONE, { gives: [flow(usdc, 0n)] }), null],
    ["an unknown asset given", swap(ONE, { gives: [flow(mallory, 1n)] }), null],
    ["an unknown asset given first", swap(ONE, { gives: [flow(mallory, 1n), flow(usdc, 1n)] }), null],
    ["an unknown asset returned", swap(ONE, { gets: [flow(mallory, 1n)] }), null],
    ["a return on another chain", swap(ONE, { toChain: 8453 }), 0],
    [
      "a token of this chain's address on another",
      swap(ONE, { gets: [flow(usdc, 1n)], toChain: 8453 }),
      null,
    ],
  ])("%s", (_, done, expected) => {
    expect(loss(done)).toBe(expected);
  });
});

describe("slippage", () => {
  const said: Partial<Step> = { slippageBps: { value: 50n, span } };
  const found = { slot: "slippage", asked: "at most 0.5 %", words: span, where };
  const fix = "Set a minimum within 0.5 % of the quote.";
  test.each<[string, Partial<Effect>, Given, object]>([
    [
      "the slippage and 1 % for the pool's fee",
      swap((ONE * 985n) / 1000n),
      priced,
      { ...found, outcome: "same", does: "up to 1.50 %", confidence: 0.9, fix: "" },
    ],
    [
      "more than that",
      swap((ONE * 9849n) / 10_000n),
      priced,
      { ...found, outcome: "differs", does: "up to 1.51 %", confidence: 0.9, fix },
    ],
    [
      "a minimum without prices",
      swap(2n),
      {},
      {
        ...found,
        outcome: "same",
        does: "a minimum is set; without prices its distance is unknown",
        confidence: 0.7,
        fix: "",
      },
    ],
    [
      "a minimum of one unit",
      swap(1n),
      priced,
      { ...found, outcome: "differs", does: "no minimum at all", confidence: 1, fix },
    ],
    [
      "no minimum among two returns",
      swap(ONE, { gets: [flow("native", ONE), flow(usdc, 0n)] }),
      priced,
      { ...found, outcome: "differs", does: "no minimum at all", confidence: 1, fix },
    ],
    [
      "a minimum at its place",
      swap(2n, { places: { minimum: minimumAt } }),
      {},
      {
        ...found,
        where: minimumAt,
        outcome: "same",
        does: "a minimum is set; without prices its distance is unknown",
        confidence: 0.7,
        fix: "",
      },
    ],
  ])("allows %s", (_, done, given, expected) => {
    expect(compare(said, done, given)).toEqual([expected]);
  });
  test.each<[EffectAct, number]>([
    ["transfer", 0],
    ["approve", 0],
    ["bridge", 1],
  ])("of a call to %s is compared %i times", (act, times) => {
    expect(compare(said, swap(ONE, { act }))).toHaveLength(times);
  });
});

describe("a limit price", () => {
  const limit = (n: string, base: AssetRef | null, quote: AssetRef | null): Partial<Step> => ({
    verb: { word: "Swap", span },
    limitPrice: { n: dec(n), base, quote, side: "least", span },
  });
  const [ETH, USDC] = [symbol("ETH"), symbol("USDC")];
  const buying = swap(ONE);
  const selling: Partial<Effect> = {
    act: "swap",
    gives: [flow("native", ONE)],
    gets: [flow(usdc, 3_000_000_000n)],
  };
  test.each<[string, Partial<Step>, Partial<Effect>, string, string]>([
    ["selling at the price", limit("3000", ETH, USDC), selling, "same", "a price of 3000.00"],
    ["selling for 0.01 % less", limit("3000.3", ETH, USDC), selling, "same", "a price of 3000.00"],
    ["selling for less", limit("3000.4", ETH, USDC), selling, "differs", "a price of 3000.00"],
    ["selling for more", limit("2000", ETH, USDC), selling, "same", "a price of 3000.00"],
    [
      "selling the wrapped token",
      limit("3001", ETH, USDC),
      { ...selling, gives: [flow(weth, ONE)] },
      "differs",
      "a price of 3000.00",
    ],
    [
      "selling two at the price",
      limit("3000", ETH, USDC),
      { ...selling, gives: [flow("native", 2n * ONE)], gets: [flow(usdc, 6_000_000_000n)] },
      "same",
      "a price of 3000.00",
    ],
    [
      "buying two at the price",
      limit("3000", ETH, USDC),
      swap(2n * ONE, { gives: [flow(usdc, 6_000_000_000n)] }),
      "same",
      "a price of 3000.00",
    ],
    [
      "selling for exactly 0.01 % less",
      limit("10000", ETH, USDC),
      { ...selling, gets: [flow(usdc, 9_999_000_000n)] },
      "same",
      "a price of 9999.00",
    ],
    [
      "selling for one unit less than that",
      limit("10000", ETH, USDC),
      { ...selling, gets: [flow(usdc, 9_998_999_999n)] },
      "differs",
      "a price of 9999.00",
    ],
    [
      "buying for exactly 0.01 % more",
      limit("10000", ETH, USDC),
      swap(ONE, { gives: [flow(usdc, 10_001_000_000n)] }),
      "same",
      "a price of 10001.0",
    ],
    [
      "buying for one unit more than that",
      limit("10000", ETH, USDC),
      swap(ONE, { gives: [flow(usdc, 10_001_000_001n)] }),
      "differs",
      "a price of 10001.0",
    ],
    ["buying at the price", limit("3000", ETH, USDC), buying, "same", "a price of 3000.00"],
    ["buying for 0.01 % more", limit("2999.71", ETH, USDC), buying, "same", "a price of 3000.00"],
    ["buying for more", limit("2999.6", ETH, USDC), buying, "differs", "a price of 3000.00"],
    ["buying for less", limit("4000", ETH, USDC), buying, "same", "a price of 3000.00"],
    ["an unnamed asset is bought", limit("2999", null, null), buying, "differs", "a price of 3000.00"],
    [
      "an unnamed asset is sold, by the verb",
      { ...limit("2999", null, null), verb: { word: "SELL", span } },
      selling,
      "same",
      "a price of 3000.00",
    ],
    [
      "the quote decides before the verb",
      { ...limit("2999", null, USDC), verb: { word: "sell", span } },
      buying,
      "differs",
      "a price of 3000.00",
    ],
    [
      "an unknown base is no asset that is sold",
      limit("2999", symbol("DAI"), null),
      buying,
      "differs",
      "a price of 3000.00",
    ],
    [
      "a verb that only ends in sell",
      { ...limit("2999", null, null), verb: { word: "upsell", span } },
      buying,
      "differs",
      "a price of 3000.00",
    ],
  ])("%s", (...[, said, done, outcome, does]) => {
    expect(compare(said, done)).toMatchObject([
      { slot: "limit_price", outcome, does, confidence: 0.95, words: span, where },
    ]);
  });
  test("is shown with its place and the price to reach", () => {
    expect(compare(limit("3001", ETH, USDC), { ...selling, places: { minimum: minimumAt } })).toEqual([
      {
        slot: "limit_price",
        outcome: "differs",
        asked: "a price of 3,001",
        does: "a price of 3000.00",
        words: span,
        where: minimumAt,
        confidence: 0.95,
        fix: "Set the minimum so that the price is 3,001 or better.",
      },
    ]);
  });
  test.each<[string, Partial<Effect>]>([
    ["nothing leaves", { ...selling, gives: [] }],
    ["nothing arrives", { ...selling, gets: [] }],
    ["an unknown token leaves", { ...selling, gives: [flow(mallory, 1n)] }],
    ["an unknown token arrives", { ...selling, gets: [flow(mallory, 1n)] }],
    ["a token arrives on a chain where it is unknown", { ...selling, toChain: 8453 }],
  ])("cannot be computed if %s", (_, done) => {
    expect(compare(limit("3000", ETH, USDC), done)).toEqual([
      {
        slot: "limit_price",
        outcome: "cannot_tell",
        asked: "a price of 3,000",
        does: "the transaction data does not determine a price",
        words: span,
        where,
        confidence: 1,
        fix: "State the minimum to receive instead of a price.",
      },
    ]);
  });
});

describe("a deadline", () => {
  const within: Partial<Step> = { deadline: { kind: "within", seconds: 600n, span } };
  const until: Partial<Step> = { deadline: { kind: "until", unix: now + 600n, span } };
  const found = {
    slot: "deadline",
    asked: "no later than 1700000600 (unix seconds)",
    words: span,
    where,
    confidence: 1,
  };
  const fix = "Set the deadline within the requested time.";
  test.each<[string, Partial<Step>, Partial<Effect>, object]>([
    [
      "in time",
      within,
      swap(ONE, { deadline: now + 600n }),
      { ...found, outcome: "same", does: "until 1700000600", fix: "" },
    ],
    [
      "90 seconds late, as clocks differ",
      until,
      swap(ONE, { deadline: now + 690n }),
      { ...found, outcome: "same", does: "until 1700000690", fix: "" },
    ],
    [
      "91 seconds late",
      until,
      swap(ONE, { deadline: now + 691n }),
      { ...found, outcome: "differs", does: "until 1700000691", fix },
    ],
    [
      "now",
      within,
      swap(ONE, { deadline: now }),
      { ...found, outcome: "same", does: "until 1700000000", fix: "" },
    ],
    [
      "past",
      within,
      swap(ONE, { deadline: now - 1n }),
      { ...found, outcome: "differs", does: "until 1699999999", fix },
    ],
    [
      "missing from a swap",
      within,
      swap(ONE),
      {
        ...found,
        outcome: "cannot_tell",
        does: "no deadline in the transaction data",
        fix: "Use a call with a deadline.",
      },
    ],
    [
      "missing from a transfer",
      within,
      {},
      { ...found, outcome: "same", does: "happens when it is sent", confidence: 0.7, fix: "" },
    ],
    [
      "at its place",
      within,
      swap(ONE, { deadline: now, places: { deadline: minimumAt } }),
      { ...found, where: minimumAt, outcome: "same", does: "until 1700000000", fix: "" },
    ],
  ])("%s", (_, said, done, expected) => {
    expect(compare(said, done)).toEqual([expected]);
  });
  test("of an allowance is compared elsewhere", () => {
    expect(compare(within, anApproval(bob, 1n))).toEqual([]);
  });
});

describe("gas", () => {
  const at = { call: "proposed_tx", field: "gas" };
  const gwei: Partial<Step> = { gas: { maxFeeGwei: { value: dec("20.5"), span } } };
  const limit: Partial<Step> = { gas: { maxLimit: { value: 21_000n, span } } };
  const cost: Partial<Step> = { gas: { maxCost: { value: dec("0.001"), span } } };
  const found = { slot: "gas", words: span, where: at, confidence: 1 };
  test.each<[string, Partial<Step>, Partial<Proposal["gas"]>, object | null]>([
    [
      "a fee at the limit",
      gwei,
      { maxFee: 20_500_000_000n },
      { ...found, outcome: "same", asked: "at most 20.5 gwei", does: "up to 20.5 gwei", fix: "" },
    ],
    [
      "a fee one wei above",
      gwei,
      { maxFee: 20_500_000_001n },
      {
        ...found,
        outcome: "differs",
        asked: "at most 20.5 gwei",
        does: "up to 20.500000001 gwei",
        fix: "Lower it to 20.5 gwei.",
      },
    ],
    [
      "a gas price",
      gwei,
      { price: 20_500_000_001n },
      {
        ...found,
        outcome: "differs",
        asked: "at most 20.5 gwei",
        does: "up to 20.500000001 gwei",
        fix: "Lower it to 20.5 gwei.",
      },
    ],
    [
      "a fee before a gas price",
      gwei,
      { price: 1n, maxFee: 20_500_000_000n },
      { ...found, outcome: "same", asked: "at most 20.5 gwei", does: "up to 20.5 gwei", fix: "" },
    ],
    ["no fee", gwei, { limit: 1n }, null],
    [
      "gas at the limit",
      limit,
      { limit: 21_000n },
      { ...found, outcome: "same", asked: "at most 21000 gas", does: "up to 21000 gas", fix: "" },
    ],
    [
      "gas above the limit",
      limit,
      { limit: 21_001n },
      {
        ...found,
        outcome: "differs",
        asked: "at most 21000 gas",
        does: "up to 21001 gas",
        fix: "Lower it to 21000 gas.",
      },
    ],
    ["no gas limit", limit, { maxFee: 1n }, null],
    [
      "a cost at the limit",
      cost,
      { limit: 100_000n, maxFee: 10_000_000_000n },
      { ...found, outcome: "same", asked: "at most 0.001 for gas", does: "up to 0.001 for gas", fix: "" },
    ],
    [
      "a cost above the limit",
      cost,
      { limit: 100_001n, maxFee: 10_000_000_000n },
      {
        ...found,
        outcome: "differs",
        asked: "at most 0.001 for gas",
        does: "up to 0.00100001 for gas",
        fix: "Lower it to 0.001 for gas.",
      },
    ],
    ["a cost without a gas limit", cost, { maxFee: 1n }, null],
    ["a cost without a fee", cost, { limit: 1n }, null],
    ["no limit in the request", {}, { limit: 1n, maxFee: 1n }, null],
  ])("%s", (_, said, gas, expected) => {
    expect(compare(said, {}, { gas })).toEqual(expected === null ? [] : [expected]);
  });
});

describe("partial fills", () => {
  const said = (value: boolean): Partial<Step> => ({ partialFill: { value, span } });
  const order = (partial: boolean | undefined, places: Effect["places"] = {}): Partial<Effect> => ({
    places,
    terms: { order: true, ...(partial === undefined ? {} : { partial }) },
  });
  const found = { slot: "terms", words: span, where, confidence: 1 };
  test.each<[string, Partial<Step>, Partial<Effect>, object]>([
    [
      "wanted and possible",
      said(true),
      order(true),
      { ...found, outcome: "same", asked: "partial fills", does: "may be filled in part", fix: "" },
    ],
    [
      "wanted and impossible",
      said(true),
      order(false),
      {
        ...found,
        outcome: "differs",
        asked: "partial fills",
        does: "all or nothing",
        fix: "Set the order to partial fills.",
      },
    ],
    [
      "unwanted and possible",
      said(false),
      order(true),
      {
        ...found,
        outcome: "differs",
        asked: "no partial fills",
        does: "may be filled in part",
        fix: "Set the order to no partial fills.",
      },
    ],
    [
      "unwanted and impossible",
      said(false),
      order(undefined),
      { ...found, outcome: "same", asked: "no partial fills", does: "all or nothing", fix: "" },
    ],
    [
      "at their place",
      said(true),
      order(true, { partial: minimumAt }),
      {
        ...found,
        where: minimumAt,
        outcome: "same",
        asked: "partial fills",
        does: "may be filled in part",
        fix: "",
      },
    ],
  ])("%s", (_, step, done, expected) => {
    expect(compare(step, done)).toEqual([expected]);
  });
  test("are compared only in orders, and only if the request mentions them", () => {
    expect(compare(said(false), { terms: { partial: true } })).toEqual([]);
    expect(compare({}, order(true))).toEqual([]);
  });
});

test("all terms of one step are compared", () => {
  const step: Partial<Step> = {
    slippageBps: { value: 50n, span },
    limitPrice: { n: dec("3000"), base: null, quote: null, side: "least", span },
    deadline: { kind: "within", seconds: 600n, span },
    gas: { maxLimit: { value: 1n, span } },
    partialFill: { value: false, span },
  };
  expect(brief(step, swap(ONE, { terms: { order: true } }), { gas: { limit: 1n } })).toEqual([
    "slippage same",
    "limit_price same",
    "deadline cannot_tell",
    "gas same",
    "terms same",
  ]);
});
