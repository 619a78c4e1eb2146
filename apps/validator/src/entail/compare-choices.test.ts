/** Choices of a contract's caller: known, named in the request, or neither. */
import { describe, expect, test } from "vitest";
import type { Choice, EffectAct } from "../effects.ts";
import type { Span } from "../intent.ts";
import { compareChoices } from "./compare-choices.ts";
import { aWorld, anEffect, bob, mallory } from "../../test/entail.ts";
import { aSimulation } from "../../test/nodes.ts";
import type { Simulation } from "../simulation.ts";

const where = { call: "proposed_tx", field: "pool" };
const compare = (choice: Partial<Choice>, words: string, act: EffectAct = "swap") => {
  const effect = anEffect({
    act,
    choices: [{ what: "pool", value: mallory, known: false, where, ...choice }],
  });
  const world = aWorld([], [effect]);
  return compareChoices([effect], { ...world, proposal: { ...world.proposal, words } });
};
const found = { slot: "choice", where, confidence: 1, words: null };

describe("an account that acts in the owner's place", () => {
  const acting = (words: string, change: Partial<Simulation> = {}, denied: readonly Span[] = []) => {
    const simulation = aSimulation({ account: mallory, ...change });
    const choice = { what: "account", value: mallory, known: false, where } as const;
    const effect = anEffect({ act: "transfer", choices: [choice] });
    const world = aWorld([], [effect]);
    const negations = denied.map((span) => ({ kind: "unchecked" as const, span }));
    const [compared] = compareChoices([effect], {
      ...{ ...world, simulation },
      proposal: { ...world.proposal, words },
      intent: { ...world.intent, negations },
    });
    return compared?.outcome;
  };
  test.each([
    "Send 5 USDC from my Safe to bob",
    "From our multisig, send 5 USDC",
    "via the treasury Safe: 5 USDC",
  ])("is the Safe that the state shows: %s", (words) => {
    expect(acting(words)).toBe("same");
  });
  test("must be asked for", () => {
    expect(acting("Send 5 USDC to bob")).not.toBe("same");
    expect(acting("Send 5 USDC to bob, to be safe")).not.toBe("same");
    const words = "Send 5 USDC to bob, not from my Safe";
    expect(acting(words, {}, [[words.indexOf("not"), words.length]])).not.toBe("same");
  });
  test.each<[string, Partial<Simulation>]>([
    ["is another one", { account: bob }],
    ["is the sender", { sender: mallory }],
    ["fails", { reverted: "no" }],
    ["behaves differently elsewhere", { diverged: "x" }],
  ])("is not proven by a simulation that %s", (_, change) => {
    expect(acting("Send 5 USDC from my Safe to bob", change)).not.toBe("same");
  });
});

describe("a choice", () => {
  test("that our tables know need not be in the request", () => {
    expect(compare({ known: true }, `use pool ${bob}`)).toEqual([
      { ...found, outcome: "same", asked: "a known pool", does: `pool ${mallory}`, fix: "" },
    ]);
  });
  test("that is a safe default need not be in the request", () => {
    expect(compare({ what: "position", value: "12", known: true }, "collect my fees")).toMatchObject([
      { outcome: "same", asked: expect.stringMatching(/^a known /u) as string, words: null },
    ]);
  });
  test("that is a safe default differs from another that is named", () => {
    expect(compare({ what: "position", value: "12", known: true }, "collect position 13")).toMatchObject([
      { outcome: "differs", asked: "position 13", words: [8, 19], fix: "Use “position 13”, as asked." },
    ]);
  });
  test("that the request names is the same", () => {
    expect(compare({}, `use pool ${mallory}`)).toEqual([
      {
        ...found,
        outcome: "same",
        asked: `pool ${mallory}`,
        does: `pool ${mallory}`,
        words: [9, 51],
        fix: "",
      },
    ]);
  });
  test("differs if the request names another", () => {
    expect(compare({}, `use pool ${bob}`)).toEqual([
      {
        ...found,
        outcome: "differs",
        asked: `pool ${bob}`,
        does: `pool ${mallory}`,
        words: [4, 51],
        fix: `Use “pool ${bob}”, as asked.`,
      },
    ]);
  });
  test("that the request does not name cannot be checked", () => {
    expect(compare({}, "swap")).toEqual([
      {
        ...found,
        outcome: "cannot_tell",
        asked: "a pool that you named or that is known",
        does: `pool ${mallory}`,
        fix: "Name the pool in the request, or use one that is known.",
      },
    ]);
  });
  test("that benefits another party differs unless the request names it", () => {
    expect(compare({ what: "refund_receiver" }, "swap")).toMatchObject([{ outcome: "differs" }]);
  });
  test("of a call that cannot be read is not compared", () => {
    expect(compare({}, "swap", "opaque")).toEqual([]);
  });
  test("of more than 66 characters is cut", () => {
    expect(compare({ value: `0x${"a".repeat(64)}` }, "swap")[0]?.does).toBe(`pool 0x${"a".repeat(64)}`);
    expect(compare({ value: `0x${"a".repeat(65)}` }, "swap")[0]?.does).toBe(`pool 0x${"a".repeat(63)}…`);
  });
});
