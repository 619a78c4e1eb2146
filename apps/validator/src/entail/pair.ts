/** Matches each step of the request with the effect that answers it. */
import { checkpointInLoop } from "../budget.ts";
import type { Comparison } from "../entailment.ts";
import { compareAction } from "./compare-action.ts";
import { compareAdmin } from "./compare-admin.ts";
import { compareAuthority } from "./compare-authority.ts";
import { compareFlows } from "./compare-flows.ts";
import { compareParties } from "./compare-parties.ts";
import { compareChains, compareVenue } from "./compare-places.ts";
import { compareTerms } from "./compare-terms.ts";
import { licensesAct } from "./acts.ts";
import type { Pair, World } from "./world.ts";

export type Compared = Pair & { readonly comparisons: readonly Comparison[]; readonly score: number };

const comparePair = (pair: Pair, world: World): Comparison[] => [
  ...compareAction(pair, world),
  ...compareAdmin(pair, world),
  ...compareFlows(pair, world),
  ...compareParties(pair, world),
  ...compareAuthority(pair, world),
  ...compareVenue(pair, world),
  ...compareChains(pair, world),
  ...compareTerms(pair, world),
];

const weight = { same: 1, differs: -1, cannot_tell: -0.25, not_read: 0 } as const;

/** `agreeing`: null for a pair whose act the verb does not license, before anything else is compared. */
function compared(index: Pair["index"], world: World, agreeing: boolean): Compared | null {
  const step = world.intent.steps[index.step];
  const effect = world.reading.effects[index.effect];
  if (step === undefined || effect === undefined) return null;
  // Every step is compared with every effect: their product is the cost of the longest requests.
  checkpointInLoop();
  const licence = licensesAct(step, effect, world);
  if (agreeing && licence <= 0) return null;
  const pair = { step, effect, index };
  const comparisons = comparePair(pair, world);
  const agreement = comparisons.reduce((sum, one) => sum + weight[one.outcome] * one.confidence, 0);
  // Order breaks ties: of two equal pairs, the first step takes the first effect.
  return {
    ...pair,
    comparisons,
    score: 4 * licence + agreement - Math.abs(index.step - index.effect) / 1_000,
  };
}

/** Returns the best pairs first, each step and each effect once. `agreeing`: only pairs whose act the verb licenses. */
export function assign(
  steps: readonly number[],
  effects: readonly number[],
  world: World,
  agreeing: boolean,
): readonly Compared[] {
  const all = steps
    .flatMap((step) => effects.map((effect) => compared({ step, effect }, world, agreeing)))
    .filter((pair) => pair !== null)
    .sort((a, b) => b.score - a.score);
  const taken = { steps: new Set<number>(), effects: new Set<number>() };
  return all.filter(({ index }) => {
    if (taken.steps.has(index.step) || taken.effects.has(index.effect)) return false;
    taken.steps.add(index.step);
    taken.effects.add(index.effect);
    return true;
  });
}
