// Where the words and the bytes part: pairs of what was asked and what would happen.
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
 * What the other checks expect nobody has asked for, and it is told with each of them; they speak here only where no
 * check compares the words. Each pair once, since two checks that look at the same place see the same difference.
 */
export function differencesOf(flags: readonly Issue[]): readonly Difference[] {
  const told = flags.some(comparesWords) ? flags.filter(comparesWords) : flags;
  const pairs = new Map<string, Difference>();
  for (const { expected, actual } of told)
    if (expected !== null && actual !== null)
      pairs.set(JSON.stringify([expected, actual]), { asked: plainer(expected), does: plainer(actual) });
  const all = [...pairs.values()];
  // That nobody asked for something says less than what was asked for instead.
  return all.filter(
    (pair) =>
      pair.asked !== nothing || !all.some(({ asked, does }) => asked !== nothing && does === pair.does),
  );
}
