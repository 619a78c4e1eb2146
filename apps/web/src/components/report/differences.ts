// Pairs of what the request asks and what the transaction does.
import type { Issue } from "@countersign/sdk/report";

export type Difference = { readonly asked: string; readonly does: string };

const nothing = "Nothing like it";

/** Rewords phrases of the validator. Stored reports have the older of the two. */
const replacements: Readonly<Record<string, string>> = {
  "only what was asked for": nothing,
  "only what you asked for": nothing,
};

export const plainer = (said: string): string => replacements[said] ?? said;

const comparesWords = ({ family }: Pick<Issue, "family">): boolean => family === "intent_alignment";

/**
 * Uses the checks that compare the request. Other checks count only if none does, since their expectation is not part of the
 * request. Lists each pair once: two checks of the same place report the same difference.
 */
export function differencesOf(flags: readonly Issue[]): readonly Difference[] {
  const told = flags.some(comparesWords) ? flags.filter(comparesWords) : flags;
  const pairs = new Map<string, Difference>();
  for (const { expected, actual } of told)
    if (expected !== null && actual !== null)
      pairs.set(JSON.stringify([expected, actual]), { asked: plainer(expected), does: plainer(actual) });
  const all = [...pairs.values()];
  // A pair that says what was asked instead is more useful than "not asked for".
  return all.filter(
    (pair) =>
      pair.asked !== nothing || !all.some(({ asked, does }) => asked !== nothing && does === pair.does),
  );
}
