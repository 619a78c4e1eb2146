// Flags of a report, each once, in the report's order of importance.
import { placeInData, type Check, type Issue, type ReadReport } from "@countersign/sdk/report";

/** Converts a failed check that has no explained issue. */
const asIssue = ({ node, family, name, severity, reasoning, fix, where, words }: Check): Issue => ({
  node,
  family,
  title: titleOf(name),
  severity,
  reasoning,
  expected: null,
  actual: null,
  fix,
  isOpen: false,
  where,
  words,
});

/** Formats `amount_match` as "Amount match": a report has titles only for flagged checks. */
export const titleOf = (name: string): string => {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

export function flagsOf({ issues, checks }: Pick<ReadReport, "issues" | "checks">): readonly Issue[] {
  const told = new Set(issues.map(({ node }) => node));
  return [
    ...issues,
    ...checks.filter(({ state, node }) => state === "failed" && !told.has(node)).map(asIssue),
  ];
}

/** A segment, with the indexes of the flags that cover it. */
export type Marked = { readonly from: number; readonly to: number; readonly by: readonly number[] };
export type Range = { readonly from: number; readonly to: number; readonly by: number };

/** Splits the length into segments at every range boundary. */
export function stretches(length: number, ranges: readonly Range[]): readonly Marked[] {
  const inside = ranges
    .map(({ from, to, by }) => ({ from: Math.max(0, from), to: Math.min(length, to), by }))
    .filter(({ from, to }) => from < to);
  const cuts = [...new Set([0, length, ...inside.flatMap(({ from, to }) => [from, to])])].sort(
    (a, b) => a - b,
  );
  return cuts.slice(1).map((to, index) => {
    const from = cuts[index] ?? 0;
    return { from, to, by: inside.filter((one) => one.from < to && one.to > from).map(({ by }) => by) };
  });
}

const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

/** Moves a boundary out of a surrogate pair. */
const outwards = (words: string, at: number, step: -1 | 1): number =>
  isLow(words.charCodeAt(at)) && !isLow(words.charCodeAt(at - 1)) && at > 0 ? at + step : at;

export type MarkedWords = { readonly text: string; readonly by: readonly number[] };

/** Splits the request into segments, each with the indexes of its flags. */
export function markWords(words: string, flags: readonly Pick<Issue, "words">[]): readonly MarkedWords[] {
  const ranges = flags.flatMap(({ words: span }, by) =>
    span === null ? [] : [{ from: outwards(words, span.from, -1), to: outwards(words, span.to, 1), by }],
  );
  return stretches(words.length, ranges).map(({ from, to, by }) => ({ text: words.slice(from, to), by }));
}

/** Maps flags to ranges of the transaction's calldata, where known. */
export const rangesInData = (report: ReadReport, flags: readonly Issue[]): readonly Range[] =>
  flags.flatMap(({ where }, by) => {
    const range = where === null ? null : placeInData(report, where);
    return range === null ? [] : [{ from: range[0], to: range[1], by }];
  });
