/** Checks requests with several steps: each must happen, and in order if one feeds the next. */
import type { Comparison } from "../entailment.ts";
import type { Effect } from "../effects.ts";
import type { Step } from "../intent.ts";
import type { Compared } from "./pair.ts";
import { matchParty } from "./parties.ts";
import { restates } from "./restate.ts";
import { differs, same, type World } from "./world.ts";

/** `unreadable`: steps that an unreadable call may answer. */
export function compareSequence(
  pairs: readonly Compared[],
  world: World,
  unreadable: readonly number[] = [],
): readonly Comparison[] {
  const { steps } = world.intent;
  const at = new Map(pairs.map(({ index }) => [index.step, index.effect]));
  const missing = steps.flatMap((step, index) =>
    at.has(index) ||
    unreadable.includes(index) ||
    happensWithin(step, index, pairs, world) ||
    restates(
      step,
      pairs.map(({ effect }) => effect),
      world,
    )
      ? []
      : [absent(step)],
  );
  const swapped = steps.flatMap((step, index) =>
    index > 0 && feeds(steps[index - 1], step) && (at.get(index - 1) ?? -1) > (at.get(index) ?? Infinity)
      ? [early(step)]
      : [],
  );
  const faults = [...missing, ...swapped];
  if (faults.length > 0) return faults;
  if (steps.length < 2) return [];
  return [
    same({
      slot: "sequence",
      asked: `${String(steps.length)} steps`,
      does: "each of them, in order",
      words: null,
      where: null,
      confidence: 0.95,
    }),
  ];
}

const absent = (step: Step): Comparison =>
  differs({
    slot: "sequence",
    asked: step.verb.word,
    does: "this step is missing",
    words: step.span,
    where: null,
    confidence: 1,
    fix: `Add the step “${step.verb.word}”, or remove it from the request.`,
  });

const early = (step: Step): Comparison =>
  differs({
    slot: "sequence",
    asked: `${step.verb.word} after the previous step`,
    does: "it comes first",
    words: step.span,
    where: null,
    confidence: 1,
    fix: "Put the steps in the order they were asked for.",
  });

/** The later step spends what the earlier one brings. */
const feeds = (earlier: Step | undefined, later: Step): boolean => {
  const brought = earlier?.gets[0]?.asset;
  const spent = later.gives[0]?.asset;
  return (
    spent === null ||
    (brought?.kind === "symbol" && spent?.kind === "symbol" && brought.symbol === spent.symbol)
  );
};

/** "Approve only what is needed": an approval of what the other steps need, without a name of its own. */
export const isBareApproval = (step: Step): boolean =>
  step.acts[0] === "approve" &&
  step.spender === null &&
  step.to.length === 0 &&
  step.venues.length === 0 &&
  step.gives.every(({ quantity }) => quantity === null || quantity.kind === "vague");

/**
 * A step that another effect already contains: a wrap inside a router's swap, "…and send it to X" as the swap's
 * receiver.
 */
function happensWithin(step: Step, index: number, pairs: readonly Compared[], world: World): boolean {
  const others = pairs.map(({ effect }) => effect);
  const native = (flows: Effect["gives"]): boolean => flows.some(({ asset }) => asset.kind === "native");
  if (isBareApproval(step)) return world.intent.steps.length > 1;
  if (step.acts[0] === "wrap") return others.some((effect) => effect.act !== "wrap" && native(effect.gives));
  if (step.acts[0] === "unwrap")
    return others.some((effect) => effect.act !== "unwrap" && native(effect.gets));
  if (step.acts[0] !== "transfer") return false;
  const before = pairs.find((pair) => pair.index.step === index - 1)?.effect;
  // A payment does not contain another: each must happen.
  const receiver = before === undefined || before.act === "transfer" ? null : before.receiver;
  return receiver !== null && step.to.some((party) => matchParty(receiver, party, world).outcome === "same");
}
