/** Every step happens, in the order in which one step feeds the next. */
import { describe, expect, test } from "vitest";
import type { Effect, Party } from "../effects.ts";
import type { Act, Step } from "../intent.ts";
import type { Compared } from "./pair.ts";
import { compareSequence, isBareApproval } from "./sequence.ts";
import {
  aStep,
  aWorld,
  address,
  anEffect,
  bob,
  flow,
  mallory,
  portion,
  router,
  usdc,
  weth,
} from "../../test/entail.ts";

const verb = (word: string): Step["verb"] => ({ word, span: [0, 4] });
const pair = (step: Step, effect: Effect, index: Compared["index"]): Compared => ({
  step,
  effect,
  index,
  comparisons: [],
  score: 1,
});
/** Pairs step n with effect n unless told otherwise; null leaves a step out. */
const compare = (
  steps: readonly Step[],
  effects: readonly (Effect | null)[],
  order: readonly number[] = effects.map((_, at) => at),
  unreadable?: readonly number[],
) => {
  const pairs = steps.flatMap((step, at) => {
    const effect = effects[at];
    return effect == null ? [] : [pair(step, effect, { step: at, effect: order[at] ?? at })];
  });
  return compareSequence(pairs, aWorld(steps, []), unreadable);
};
const outcomes = (...given: Parameters<typeof compare>) =>
  compare(...given).map(({ outcome, does }) => `${outcome}: ${does}`);

const missing = "differs: this step is missing";
const early = "differs: it comes first";
const fine = "same: each of them, in order";

const swap = aStep({
  acts: ["swap"],
  verb: verb("swap"),
  gives: [portion("1", "WETH")],
  gets: [portion(null, "USDC")],
});
const supply = aStep({ acts: ["supply"], verb: verb("supply"), gives: [portion("5", "USDC")], span: [7, 9] });
const swapped = anEffect({ act: "swap", gives: [flow(weth, 1n)], gets: [flow(usdc, 1n)], receiver: "self" });
const supplied = anEffect({ act: "supply", gives: [flow(usdc, 1n)] });

describe("a request of several steps", () => {
  test("that all happen in order is the same", () => {
    expect(compare([swap, supply], [swapped, supplied])).toEqual([
      {
        slot: "sequence",
        outcome: "same",
        asked: "2 steps",
        does: "each of them, in order",
        words: null,
        where: null,
        confidence: 0.95,
        fix: "",
      },
    ]);
  });
  test("with a step that does not happen differs", () => {
    expect(compare([swap, supply], [swapped, null])).toEqual([
      {
        slot: "sequence",
        outcome: "differs",
        asked: "supply",
        does: "this step is missing",
        words: [7, 9],
        where: null,
        confidence: 1,
        fix: "Add the step “supply”, or remove it from the request.",
      },
    ]);
  });
  test("with a step that an unreadable call may answer does not differ", () => {
    expect(outcomes([swap, supply], [swapped, null], [0], [1])).toEqual([fine]);
    expect(outcomes([swap, supply], [swapped, null], [0], [0])).toEqual([missing]);
  });
  test("with a step that only repeats another does not differ", () => {
    const again = aStep({ acts: ["supply"], gives: [portion(null, "USDC")] });
    expect(outcomes([supply, again], [supplied, null])).toEqual([fine]);
  });
  test("in the other order differs if one feeds the next", () => {
    expect(compare([swap, supply], [swapped, supplied], [1, 0])).toEqual([
      {
        slot: "sequence",
        outcome: "differs",
        asked: "supply after the previous step",
        does: "it comes first",
        words: [7, 9],
        where: null,
        confidence: 1,
        fix: "Put the steps in the order they were asked for.",
      },
    ]);
  });
  test("in the other order differs wherever in the transaction the two are", () => {
    expect(outcomes([swap, supply], [swapped, supplied], [2, 1])).toEqual([early]);
    expect(outcomes([swap, supply], [swapped, supplied], [1, 2])).toEqual([fine]);
  });
  test.each<[string, Step, Step, readonly string[]]>([
    ["the next spends another token", swap, aStep({ ...supply, gives: [portion("5", "WETH")] }), [fine]],
    [
      "the next spends an asset without a name",
      swap,
      aStep({ ...supply, gives: [portion("5", null)] }),
      [early],
    ],
    ["the next spends nothing", swap, aStep({ ...supply, gives: [] }), [fine]],
    ["the first brings nothing", aStep({ ...swap, gets: [] }), supply, [fine]],
    [
      "the first brings an address",
      aStep({ ...swap, gets: [{ asset: { kind: "address", address: usdc, span: [0, 1] }, quantity: null }] }),
      supply,
      [fine],
    ],
    [
      "the next spends an address",
      swap,
      aStep({
        ...supply,
        gives: [{ asset: { kind: "address", address: usdc, span: [0, 1] }, quantity: null }],
      }),
      [fine],
    ],
  ])("in the other order, where %s", (_, first, second, expected) => {
    expect(outcomes([first, second], [swapped, supplied], [1, 0])).toEqual(expected);
  });
  test("reports missing steps and the wrong order together", () => {
    const stake = aStep({ acts: ["stake"], verb: verb("stake"), gives: [portion("7", "WETH")] });
    expect(outcomes([swap, supply, stake], [swapped, supplied, null], [1, 0])).toEqual([missing, early]);
  });
  test("needs an effect for both to be in the wrong order", () => {
    expect(outcomes([swap, supply], [null, supplied], [0, 0], [0])).toEqual([fine]);
    expect(outcomes([swap, supply], [swapped, null], [9], [1])).toEqual([fine]);
  });
});

describe("a request of a single step", () => {
  test("has no order", () => {
    expect(compare([swap], [swapped])).toEqual([]);
  });
  test("must happen", () => {
    expect(outcomes([swap], [])).toEqual([missing]);
  });
});

describe("an approval of what is needed", () => {
  const approve = aStep({ acts: ["approve"], verb: verb("approve") });
  test.each<[string, Partial<Step>, boolean]>([
    ["nothing else", {}, true],
    ["a token", { gives: [portion(null, "USDC")] }, true],
    [
      "a vague amount",
      { gives: [{ asset: null, quantity: { kind: "vague", said: "some", span: [0, 1] } }] },
      true,
    ],
    ["an amount", { gives: [portion("1", "USDC")] }, false],
    ["an amount in a second portion", { gives: [portion(null, "USDC"), portion("1", "USDC")] }, false],
    ["a spender", { spender: address(bob) }, false],
    ["a party", { to: [address(bob)] }, false],
    ["a venue", { venues: [{ venue: "uniswap", mode: "on", span: [0, 1] }] }, false],
    ["another act first", { acts: ["swap", "approve"] }, false],
  ])("is recognised: %s", (_, more, bare) => {
    expect(isBareApproval(aStep({ ...approve, ...more }))).toBe(bare);
  });
  test("happens within the other steps, and not alone", () => {
    const never = { ...swapped, act: "opaque" as const, gives: [], gets: [] };
    const bare = aStep({ ...approve, gives: [portion(null, "DAI")] });
    expect(outcomes([bare, swap], [null, never])).toEqual([fine]);
    expect(outcomes([bare], [])).toEqual([missing]);
  });
});

describe("a step that another effect contains", () => {
  // An amount keeps the step from being read as a repetition.
  const step = (act: Act, more: Partial<Step> = {}): Step =>
    aStep({ acts: [act], gives: [portion("9", "USDC")], ...more });
  const coin = flow("native", 1n);
  test.each<[string, Step, Partial<Effect>, readonly string[]]>([
    ["wrapping in a call that gives the native token", step("wrap"), { gives: [coin] }, [fine]],
    ["wrapping in a call that gives a token", step("wrap"), { gives: [flow(weth, 1n)] }, [missing]],
    ["wrapping in a call that brings the native token", step("wrap"), { gives: [], gets: [coin] }, [missing]],
    ["wrapping in another wrap", step("wrap"), { act: "wrap", gives: [coin] }, [missing]],
    ["unwrapping in a call that brings the native token", step("unwrap"), { gets: [coin] }, [fine]],
    ["unwrapping in a call that brings a token", step("unwrap"), { gets: [flow(weth, 1n)] }, [missing]],
    [
      "unwrapping in a call that gives the native token",
      step("unwrap"),
      { gives: [coin], gets: [] },
      [missing],
    ],
    ["unwrapping in another unwrap", step("unwrap"), { act: "unwrap", gets: [coin] }, [missing]],
    ["staking in a call that gives the native token", step("stake"), { gives: [coin] }, [missing]],
    [
      "sending in a call to the same receiver",
      step("transfer", { to: [address(bob)] }),
      { receiver: bob },
      [fine],
    ],
    [
      "sending in a call to another receiver",
      step("transfer", { to: [address(bob)] }),
      { receiver: mallory },
      [missing],
    ],
    [
      "sending in a call to the right one of two",
      step("transfer", { to: [address(mallory), address(bob)] }),
      { receiver: bob },
      [fine],
    ],
    [
      "sending in a call without a receiver",
      step("transfer", { to: [address(bob)] }),
      { receiver: null },
      [missing],
    ],
    [
      "sending in another transfer",
      step("transfer", { to: [address(bob)] }),
      { act: "transfer", receiver: bob },
      [missing],
    ],
    [
      "supplying in a call to the same receiver",
      step("supply", { to: [address(bob)] }),
      { receiver: bob },
      [missing],
    ],
  ])("%s", (_, inner, done, expected) => {
    expect(outcomes([swap, inner], [anEffect({ ...swapped, ...done }), null])).toEqual(expected);
  });
  test.each<[Act, Partial<Effect>]>([
    ["wrap", { gives: [coin] }],
    ["unwrap", { gets: [coin] }],
  ])("is found among several effects: %s", (act, done) => {
    const effects = [anEffect({ ...swapped, ...done }), supplied, null];
    expect(outcomes([swap, supply, step(act)], effects)).toEqual([fine]);
    expect(outcomes([swap, supply, step(act)], [swapped, supplied, null])).toEqual([missing]);
  });
  test("sends only the output of the step right before it", () => {
    const send = step("transfer", { to: [address(bob)] });
    const to = (receiver: Party): Effect => ({ ...swapped, receiver });
    expect(outcomes([swap, supply, send], [to(bob), supplied, null])).toEqual([missing]);
    expect(outcomes([send, swap], [null, to(bob)])).toEqual([missing]);
    expect(outcomes([swap, send], [to(router), null])).toEqual([missing]);
  });
});
