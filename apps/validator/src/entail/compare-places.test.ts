/** Venue, chain and destination chain of the request compared with those of the transaction. */
import { describe, expect, test } from "vitest";
import type { Effect, EffectAct, Where } from "../effects.ts";
import type { Span, Step } from "../intent.ts";
import { compareChain, compareChains, compareVenue } from "./compare-places.ts";
import { aStep, aWorld, anEffect, mallory } from "../../test/entail.ts";
import type { World } from "./world.ts";

const index = { step: 0, effect: 0 };
const span: Span = [3, 7];
const other: Span = [8, 9];
const on = (venue: string, of: Span = span): Step["venues"][number] => ({ venue, mode: "on", span: of });
const avoid = (venue: string): Step["venues"][number] => ({ venue, mode: "avoid", span: other });

describe("the venue", () => {
  const compare = (venues: Step["venues"], done: Partial<Effect>) => {
    const [step, effect] = [aStep({ venues }), anEffect({ act: "swap", venue: "uniswap_v3", ...done })];
    return compareVenue({ step, effect, index }, aWorld([step], [effect]));
  };
  const { where } = anEffect({});
  const found = { slot: "venue", words: span, where, confidence: 1 };
  const same = { ...found, outcome: "same", asked: "uniswap", does: "uniswap_v3", fix: "" };
  const broken = {
    ...found,
    outcome: "differs",
    asked: "anything but uniswap",
    does: "uniswap_v3",
    words: other,
    fix: "Use a venue other than uniswap.",
  };

  test("is not compared if none is named", () => {
    expect(compare([], {})).toEqual([]);
  });
  test("is the one that is named", () => {
    expect(compare([on("uniswap")], {})).toEqual([same]);
  });
  test("is one of those that are named", () => {
    expect(compare([on("aave", other), on("uniswap")], {})).toEqual([same]);
  });
  test("is not another", () => {
    expect(compare([on("aave"), on("curve", other)], {})).toEqual([
      { ...same, outcome: "differs", asked: "aave", fix: "Use aave’s own contract on this chain." },
    ]);
  });
  test("is not the one to avoid", () => {
    expect(compare([avoid("uniswap")], {})).toEqual([broken]);
  });
  test("may be any but the one to avoid", () => {
    expect(compare([avoid("aave")], {})).toEqual([]);
  });
  test("is reported as named and as avoided if the request has both", () => {
    expect(compare([avoid("uniswap"), on("uniswap")], {})).toEqual([same, broken]);
  });
  test.each<[string, Partial<Effect>, string]>([
    [
      "an unknown contract",
      { venue: null, target: mallory },
      `${mallory}, not a known contract of any venue`,
    ],
    ["a deployment", { venue: null, target: null }, "a deployment"],
  ])("is not %s", (_, done, does) => {
    expect(compare([on("uniswap")], done)).toMatchObject([{ outcome: "differs", does }]);
    expect(compare([avoid("uniswap")], done)).toEqual([]);
  });
  test.each<[EffectAct, number]>([
    ["approve", 0],
    ["revoke", 0],
    ["transfer", 1],
  ])("of a call to %s is compared %i times", (act, times) => {
    expect(compare([on("aave")], { act })).toHaveLength(times);
  });
});

const there: Where = { call: "proposed_tx", field: "destinationChainId" };
const chains = (said: Partial<Step>, done: Partial<Effect>, chain?: World["proposal"]["chain"]) => {
  const [step, effect] = [aStep(said), anEffect(done)];
  const world = aWorld([step], [effect]);
  const proposal = { ...world.proposal, ...(chain === undefined ? {} : { chain }) };
  return compareChains({ step, effect, index }, { ...world, proposal });
};
const { where } = anEffect({});

describe("the chain", () => {
  const same = {
    slot: "chain",
    outcome: "same",
    asked: "Ethereum",
    does: "Ethereum",
    words: span,
    where,
    confidence: 1,
    fix: "",
  };
  test("is not compared if none is named", () => {
    expect(chains({}, {})).toEqual([]);
    expect(compareChain(null, where, aWorld([], []))).toEqual([]);
  });
  test("is the one that is named", () => {
    expect(chains({ chain: { value: 1, span } }, {})).toEqual([same]);
  });
  test("is the same with less confidence if it is assumed", () => {
    expect(chains({ chain: { value: 1, span } }, {}, { id: 1, assumed: true })).toEqual([
      { ...same, does: "Ethereum (assumed, none was given)", confidence: 0.7 },
    ]);
  });
  test("is another with full confidence, assumed or not", () => {
    const differs = { ...same, outcome: "differs", asked: "Base", fix: "Propose it on Base." };
    expect(chains({ chain: { value: 8453, span } }, {})).toEqual([differs]);
    expect(chains({ chain: { value: 8453, span } }, {}, { id: 1, assumed: true })).toEqual([
      { ...differs, does: "Ethereum (assumed, none was given)" },
    ]);
  });
  test("has its id as a name if the registry does not know it", () => {
    expect(chains({ chain: { value: 999, span } }, {})).toMatchObject([{ asked: "chain 999" }]);
  });
});

describe("the destination chain", () => {
  const found = { slot: "to_chain", words: span, where, confidence: 1 };
  const to = (value: number): Partial<Step> => ({ toChain: { value, span } });
  test("is not compared if nothing leaves the chain", () => {
    expect(chains(to(1), {})).toEqual([]);
  });
  test("is missing in a call that stays on the chain", () => {
    expect(chains(to(8453), {})).toEqual([
      {
        ...found,
        outcome: "differs",
        asked: "Base",
        does: "stays on this chain",
        fix: "Use a bridge to that chain.",
      },
    ]);
  });
  test("is the one that is named", () => {
    expect(chains(to(8453), { toChain: 8453 })).toEqual([
      { ...found, outcome: "same", asked: "Base", does: "Base", fix: "" },
    ]);
  });
  test("is not another", () => {
    expect(chains(to(8453), { toChain: 8454, places: { toChain: there } })).toEqual([
      {
        ...found,
        where: there,
        outcome: "differs",
        asked: "Base",
        does: "chain 8454",
        fix: "Send it to Base.",
      },
    ]);
  });
  test("cannot be checked if none is named", () => {
    expect(
      chains({ verb: { word: "bridge", span: other } }, { toChain: 8453, places: { toChain: there } }),
    ).toEqual([
      {
        ...found,
        words: other,
        where: there,
        outcome: "cannot_tell",
        asked: "no destination chain named",
        does: "Base",
        fix: "Name the destination chain in the request.",
      },
    ]);
  });
  test("is compared together with the chain it starts on", () => {
    expect(
      chains({ chain: { value: 1, span }, ...to(8453) }, { toChain: 8453 }).map(({ slot }) => slot),
    ).toEqual(["chain", "to_chain"]);
  });
});
