/** The verb compared with the act, and the direction of a swap. */
import { describe, expect, test } from "vitest";
import type { Effect } from "../effects.ts";
import type { Span, Step } from "../intent.ts";
import { compareAction } from "./compare-action.ts";
import { aStep, aWorld, anEffect, flow, portion, usdc, weth } from "../../test/entail.ts";

const verb = { word: "deposit", span: [0, 7] as Span };
const { where } = anEffect({});
const compare = (said: Partial<Step>, done: Partial<Effect>) => {
  const [step, effect] = [aStep({ verb, ...said }), anEffect(done)];
  return compareAction({ step, effect, index: { step: 0, effect: 0 } }, aWorld([step], [effect]));
};

describe("the act", () => {
  const found = { slot: "action", asked: "deposit", words: verb.span, where };
  test.each<[string, Partial<Step>, Partial<Effect>, object]>([
    [
      "is the verb's first meaning",
      { acts: ["supply"] },
      { act: "supply" },
      { ...found, outcome: "same", does: "supply", confidence: 1, fix: "" },
    ],
    [
      "is another of its meanings",
      { acts: ["supply", "stake"] },
      { act: "stake" },
      { ...found, outcome: "same", does: "stake", confidence: 0.95, fix: "" },
    ],
    [
      "is not one of its meanings",
      { acts: ["supply"] },
      { act: "add_liquidity" },
      {
        ...found,
        outcome: "differs",
        does: "add liquidity",
        confidence: 1,
        fix: "Propose a transaction that does “deposit”, not add liquidity.",
      },
    ],
    [
      "is a change of control",
      { acts: ["supply"] },
      { act: "admin" },
      {
        ...found,
        outcome: "differs",
        does: "a change of control",
        confidence: 1,
        fix: "Propose a transaction that does “deposit”, not a change of control.",
      },
    ],
    [
      "cannot be read",
      { acts: ["supply"] },
      { act: "opaque" },
      {
        ...found,
        outcome: "differs",
        does: "something we cannot read",
        confidence: 1,
        fix: "Propose a transaction that does “deposit”, not something we cannot read.",
      },
    ],
  ])("%s", (_, said, done, expected) => {
    expect(compare(said, done)).toEqual([expected]);
  });
});

describe("the direction", () => {
  test("is reversed by the opposite act", () => {
    expect(compare({ acts: ["add_liquidity"] }, { act: "remove_liquidity" })).toEqual([
      expect.objectContaining({ slot: "action", outcome: "differs" }),
      {
        slot: "direction",
        outcome: "differs",
        asked: "deposit",
        does: "remove liquidity",
        words: verb.span,
        where,
        confidence: 1,
        fix: "Reverse it: it does the opposite.",
      },
    ]);
  });
  const swap = (out: Effect["gives"], back: Effect["gets"]): Partial<Effect> => ({
    act: "swap",
    gives: out,
    gets: back,
  });
  const said: Partial<Step> = { acts: ["swap"], gives: [portion("1", "USDC")], gets: [portion(null, "ETH")] };
  const [dollars, coin, wrapped] = [[flow(usdc, 1n)], [flow("native", 1n)], [flow(weth, 1n)]];
  test("of a swap is that of the request", () => {
    expect(compare(said, swap(dollars, coin))[1]).toEqual({
      slot: "direction",
      outcome: "same",
      asked: "USDC → ETH",
      does: "USDC → ETH",
      words: verb.span,
      where,
      confidence: 1,
      fix: "",
    });
  });
  test("of a swap may be reversed", () => {
    expect(compare(said, swap(coin, dollars))[1]).toEqual({
      slot: "direction",
      outcome: "differs",
      asked: "USDC → ETH",
      does: "ETH → USDC",
      words: verb.span,
      where,
      confidence: 1,
      fix: "Exchange the two assets.",
    });
  });
  test.each<[string, Partial<Step>, Partial<Effect>, readonly string[]]>([
    ["reversed through the wrapped token", said, swap(wrapped, dollars), ["differs"]],
    ["half reversed: gives what should come", said, swap(coin, coin), ["same"]],
    ["half reversed: gets what should go", said, swap(dollars, dollars), ["same"]],
    ["from an asset to itself", { ...said, gets: [portion(null, "USDC")] }, swap(dollars, dollars), ["same"]],
    ["without an asset that goes", { ...said, gives: [portion("1", null)] }, swap(coin, dollars), []],
    ["without anything that goes", { ...said, gives: [] }, swap(coin, dollars), []],
    ["without anything that comes", { ...said, gets: [] }, swap(coin, dollars), []],
    ["where nothing leaves", said, swap([], dollars), []],
    ["where nothing arrives", said, swap(coin, []), []],
    ["of another act", { ...said, acts: ["bridge"] }, { ...swap(coin, dollars), act: "bridge" }, []],
  ])("of a swap %s", (_, step, done, expected) => {
    expect(
      compare(step, done)
        .slice(1)
        .map(({ outcome }) => outcome),
    ).toEqual(expected);
  });
});
