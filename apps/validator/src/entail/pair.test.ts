/** Matches steps with the effects that answer them. */
import { describe, expect, test } from "vitest";
import { OverBudget, withinBudget } from "../budget.ts";
import type { Effect } from "../effects.ts";
import type { Step } from "../intent.ts";
import { assign } from "./pair.ts";
import {
  aStep,
  aWorld,
  address,
  anEffect,
  bob,
  flow,
  mallory,
  portion,
  usdc,
  weth,
} from "../../test/entail.ts";

const send = (amount: string, symbol = "USDC", to = bob): Step =>
  aStep({ gives: [portion(amount, symbol)], to: [address(to)] });
const sent = (units: bigint, of = usdc, receiver = bob): Effect =>
  anEffect({ gives: [flow(of, units)], receiver });
const vote = aStep({ acts: ["vote"] });

const pairs = (steps: readonly Step[], effects: readonly Effect[], agreeing = true) =>
  assign([...steps.keys()], [...effects.keys()], aWorld(steps, effects), agreeing).map(({ index }) => [
    index.step,
    index.effect,
  ]);

describe("assign", () => {
  test("pairs a step with the effect that agrees most", () => {
    expect(pairs([send("5")], [sent(7_000_000n), sent(5_000_000n)])).toEqual([[0, 1]]);
    expect(pairs([send("5")], [sent(5_000_000n, usdc, mallory), sent(5_000_000n)])).toEqual([[0, 1]]);
  });
  test("prefers an effect that cannot be compared to one that differs", () => {
    expect(pairs([send("5", "WETH")], [sent(5n), sent(5n, mallory)])).toEqual([[0, 0]]);
    expect(pairs([send("5", "DAI")], [sent(5n, weth, mallory), sent(5n)])).toEqual([[0, 1]]);
  });
  test("pairs equal steps and effects in order", () => {
    expect(pairs([send("5"), send("5")], [sent(5_000_000n), sent(5_000_000n)])).toEqual([
      [0, 0],
      [1, 1],
    ]);
  });
  test("uses every step and every effect once", () => {
    expect(pairs([send("5")], [sent(5_000_000n), sent(5_000_000n)])).toEqual([[0, 0]]);
    expect(pairs([send("5"), send("5")], [sent(5_000_000n)])).toEqual([[0, 0]]);
  });
  test("prefers the verb's own act to better amounts", () => {
    const supplied = anEffect({ act: "supply", gives: [flow(usdc, 5_000_000n)], receiver: bob });
    expect(pairs([send("5")], [supplied, sent(7_000_000n)], false)).toEqual([[0, 1]]);
  });
  test("pairs an act that the verb does not license only if asked to", () => {
    expect(pairs([vote], [sent(1n)])).toEqual([]);
    expect(pairs([vote], [sent(1n)], false)).toEqual([[0, 0]]);
  });
  test("ignores steps and effects that do not exist", () => {
    const world = aWorld([send("5")], [sent(5_000_000n)]);
    expect(assign([0, 1], [0, 1], world, false)).toHaveLength(1);
  });
  test("considers only the steps and effects it is given", () => {
    const world = aWorld([send("5"), send("5")], [sent(5_000_000n), sent(5_000_000n)]);
    expect(assign([1], [0], world, true).map(({ index }) => index)).toEqual([{ step: 1, effect: 0 }]);
  });
  test("scores the licence, the agreement and the distance", () => {
    const steps = [send("5"), send("5")];
    const effects = [sent(5_000_000n), sent(7_000_000n)];
    const score = (step: number, effect: number) =>
      assign([step], [effect], aWorld(steps, effects), true)[0]?.score;
    // Action, asset, amount and recipient agree; the licence counts four times.
    expect(score(0, 0)).toBeCloseTo(8, 9);
    expect(score(1, 0)).toBeCloseTo(8 - 0.001, 9);
    expect(score(0, 1)).toBeCloseTo(6 - 0.001, 9);
  });
  test("scores two steps at the same distance alike", () => {
    const steps = [send("5"), send("5")];
    const effects = [sent(5_000_000n), sent(5_000_000n)];
    const scores = assign([0, 1], [0, 1], aWorld(steps, effects), true).map(({ score }) => score);
    expect(scores).toEqual([8, 8]);
  });
  test("counts an uncertain agreement for less than a certain one", () => {
    const step = aStep({ gives: [{ ...portion("5", "USDC"), asset: null }], to: [address(bob)] });
    const [pair] = assign([0], [0], aWorld([step], [sent(5_000_000n)]), true);
    expect(pair?.score).toBeCloseTo(8 - 0.15, 9);
  });
  test("stops within 64 pairs once the CPU budget is used up", () => {
    const steps = Array.from({ length: 8 }, () => send("5"));
    const effects = Array.from({ length: 8 }, () => sent(5_000_000n));
    expect(() => withinBudget(0, () => pairs(steps, effects))).toThrow(OverBudget);
  });
  test("compares venue, chain, terms, control and allowance too", () => {
    const step = aStep({
      acts: ["approve"],
      venues: [{ venue: "uniswap", mode: "on", span: [0, 1] }],
      chain: { value: 1, span: [0, 1] },
      gas: { maxLimit: { value: 5n, span: [0, 1] } },
    });
    const admin = aStep({ acts: ["admin"], admin: { kind: "add_owner", party: null, span: [0, 1] } });
    const slots = (one: Step, effect: Effect) => {
      const world = aWorld([one], [effect]);
      const proposal = { ...world.proposal, gas: { ...world.proposal.gas, limit: 5n } };
      return assign([0], [0], { ...world, proposal }, false)[0]?.comparisons.map(({ slot }) => slot);
    };
    expect(slots(step, anEffect({ act: "swap", venue: "uniswap_v3" }))).toEqual([
      "action",
      "venue",
      "chain",
      "gas",
    ]);
    expect(slots(admin, anEffect({ act: "admin", admin: { kind: "add_owner", party: null } }))).toEqual([
      "action",
      "action",
    ]);
  });
});
