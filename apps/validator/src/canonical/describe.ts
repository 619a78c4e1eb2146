/** Describes the effects of a transaction as a canonical request, one sentence for each. */
import type { Effect, Reading } from "../effects.ts";
import { termsOf, type Ground } from "./effect-terms.ts";
import { fill, type Gap } from "./fill.ts";
import { patterns, slots } from "./patterns.ts";

/** One effect: its sentence, or the reason why it has none, as a clause. */
export type DescribedStep = {
  /** The act, or `admin.` and the kind of control: the row of the table. */
  readonly act: string;
  readonly sentence: string | null;
  readonly why: string | null;
};

/** Describes every effect that moves value, grants authority or changes control. */
export function describeEffects(
  { effects, limit }: Pick<Reading, "effects" | "limit">,
  ground: Ground,
): readonly DescribedStep[] {
  const steps = effects
    .filter((effect) => !doesNothing(effect))
    .map((effect) => describeEffect(effect, ground));
  return limit === null
    ? steps
    : [...steps, refuse("opaque", `only part of the transaction was read: ${limit}`)];
}

/** A call that moves nothing to the account itself, as around a signed authorization, needs no sentence. */
const doesNothing = ({ act, receiver, gives }: Effect): boolean =>
  act === "harmless" ||
  (act === "transfer" && receiver === "self" && gives.every(({ amount }) => amount.most === 0n));

const refuse = (act: string, why: string): DescribedStep => ({ act, sentence: null, why });

const actOf = ({ act, admin }: Effect): string => (act === "admin" ? `admin.${admin?.kind ?? "other"}` : act);

function describeEffect(effect: Effect, ground: Ground): DescribedStep {
  const act = actOf(effect);
  const fault = findUnsayable(effect);
  if (fault !== null) return refuse(act, fault);
  const pattern = patterns.get(act);
  if (pattern === undefined)
    return refuse(act, `there is no pattern for “${act.replace("admin.", "").replaceAll("_", " ")}”`);
  const terms = termsOf(effect, ground);
  if (typeof terms === "string") return refuse(act, terms);
  const filled = fill(pattern, terms);
  return "sentence" in filled
    ? { act, sentence: filled.sentence, why: null }
    : refuse(act, explainGap(filled));
}

const explainGap = ({ missing, unplaced }: Gap): string =>
  missing.length > 0
    ? `the transaction does not show ${missing.map((slot) => slots[slot]).join(" or ")}`
    : `the pattern has no place for ${unplaced.map((slot) => slots[slot]).join(" or ")}`;

type Unsayable = { readonly why: string; readonly holds: (effect: Effect) => boolean };

/** Effects that no sentence could describe honestly. */
const unsayable: readonly Unsayable[] = [
  {
    why: "it runs code of another contract with the account's storage",
    holds: ({ terms }) => terms.delegatecall !== undefined,
  },
  {
    why: "it also sets who controls an account",
    holds: ({ act, admin }) => act !== "admin" && admin !== null && admin.party !== null,
  },
  { why: "code is attached to the order", holds: ({ terms }) => terms.hooks !== undefined },
  { why: "what is left of the allowance is not known", holds: ({ terms }) => terms.reducedBy !== undefined },
  {
    why: "it gives access to the whole account",
    holds: ({ act, authority }) => act !== "admin" && authority !== null && authority.asset === null,
  },
  { why: "it pays several fees", holds: ({ fees }) => fees.length > 1 },
];

function findUnsayable(effect: Effect): string | null {
  if (effect.act === "opaque") return effect.terms.faults?.[0]?.text ?? "we do not know what this call does";
  return unsayable.find(({ holds }) => holds(effect))?.why ?? null;
}
