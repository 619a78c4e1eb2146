/**
 * Decides which results a reading supports. A difference is claimed only if everything was read; a match is confirmed only if the text shows that
 * it asks for something. Otherwise the parts in doubt count as unread.
 */
import type { Comparison, Entailment, Slot } from "../entailment.ts";
import { namesEveryValue } from "./named-values.ts";
import type { World } from "./world.ts";

export function admit(read: Entailment, world: World): Entailment {
  const compared = withMisreading(withUnknownWords(read, world), world);
  return confirmed(withoutClaims(compared, world), world);
}

/** A reading that fits confirms a request only if the text shows that it asks for something. */
function confirmed(read: Entailment, { intent }: World): Entailment {
  const ungoverned = intent.ungoverned ?? [];
  if (ungoverned.length === 0 || !lacksOnlyEvidence(read)) return read;
  const why = "we could not tell whether this changes the request";
  return { ...read, unread: [...read.unread, ...ungoverned.map((one) => ({ ...one, why }))] };
}

/** If the reading does not fit the transaction, unknown words may be the reason: then they count as unread. */
function withUnknownWords(read: Entailment, { intent }: World): Entailment {
  const unknownWords = intent.unknownWords ?? [];
  if (unknownWords.length === 0 || lacksOnlyEvidence(read)) return read;
  const unread = unknownWords.map((one) => ({ ...one, why: "we do not know this word" }));
  return { ...read, unread: [...read.unread, ...unread] };
}

/** Slots that say what is done with named values. Terms, such as a deadline or a price, are values of their own. */
const aboutNamedValues: ReadonlySet<Slot> = new Set([
  "action",
  "direction",
  "asset_in",
  "asset_out",
  "amount",
  "amount_out",
  "recipient",
  "name",
  "spender",
  "scope",
  "venue",
  "chain",
  "to_chain",
  "sequence",
] satisfies readonly Slot[]);

/** If the request names every value of the transaction, the mistake may be ours: the parts that differ count as unread. */
function withMisreading(read: Entailment, world: World): Entailment {
  const differing = read.comparisons.filter(({ outcome }) => outcome === "differs");
  if (differing.some(({ slot }) => !aboutNamedValues.has(slot))) return read;
  if (lacksOnlyEvidence(read) || read.unmet.length > 0 || !namesEveryValue(world)) return read;
  const spans = [
    ...differing.flatMap(({ words }) => (words === null ? [] : [words])),
    ...world.intent.steps.map(({ verb }) => verb.span),
  ];
  const [span = [0, world.proposal.words.length] as const] = spans;
  const text = world.proposal.words.slice(...span);
  const why = "we may have misread this, because the request names every value of the transaction";
  return { ...read, unread: [...read.unread, { text, span, why }] };
}

/** While part of the request is unread, the rest may mean something different: no difference is claimed. */
function withoutClaims(read: Entailment, { intent }: World): Entailment {
  const isRead =
    read.unread.length + read.ambiguous.length === 0 &&
    intent.steps.length > 0 &&
    intent.notARequest === null;
  if (isRead) return read;
  const comparisons = read.comparisons.map((one): Comparison =>
    one.outcome === "differs" ? { ...one, outcome: "not_read" } : one,
  );
  return { ...read, comparisons };
}

/** Nothing differs, and nothing is left over on either side. */
export const isSettled = ({ comparisons, unlicensed, unmet, unread, ambiguous }: Entailment): boolean =>
  comparisons.every(({ outcome }) => outcome === "same") &&
  unlicensed.length + unmet.length + unread.length + ambiguous.length === 0;

/** Nothing differs; evidence may be missing. */
export const lacksOnlyEvidence = ({
  comparisons,
  unlicensed,
  unmet,
  unread,
  ambiguous,
}: Entailment): boolean =>
  comparisons.every(({ outcome }) => outcome !== "differs") &&
  unlicensed.length + unmet.length + unread.length + ambiguous.length === 0;
