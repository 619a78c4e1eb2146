// What speaks against it, each thing once, the most telling first: the order that the report has them in.
import { placeInData, type Check, type Issue, type ReadReport } from "@countersign/sdk/report";

/** A check that objects and that the explanation leaves out. */
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

/** `amount_match` as a person reads it: a report has titles for what objects only. */
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

/** A stretch of something, and the numbers of the flags that are about it. */
export type Marked = { readonly from: number; readonly to: number; readonly by: readonly number[] };
type Range = { readonly from: number; readonly to: number; readonly by: number };

/** The whole length in stretches: where two overlap, their common part is a stretch of both. */
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

/** A mark never begins or ends inside of a character. */
const outwards = (words: string, at: number, step: -1 | 1): number =>
  isLow(words.charCodeAt(at)) && !isLow(words.charCodeAt(at - 1)) && at > 0 ? at + step : at;

export type MarkedWords = { readonly text: string; readonly by: readonly number[] };

/** The words in pieces, with the numbers (from 0) of the flags that are about each. */
export function markWords(words: string, flags: readonly Pick<Issue, "words">[]): readonly MarkedWords[] {
  const ranges = flags.flatMap(({ words: span }, by) =>
    span === null ? [] : [{ from: outwards(words, span.from, -1), to: outwards(words, span.to, 1), by }],
  );
  return stretches(words.length, ranges).map(({ from, to, by }) => ({ text: words.slice(from, to), by }));
}

/** Where in the transaction's own data the flags are about, as far as it is known. */
export const rangesInData = (report: ReadReport, flags: readonly Issue[]): readonly Range[] =>
  flags.flatMap(({ where }, by) => {
    const range = where === null ? null : placeInData(report, where);
    return range === null ? [] : [{ from: range[0], to: range[1], by }];
  });
