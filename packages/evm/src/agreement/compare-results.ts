// Where the results of two engines differ, in words and values that a report can show.
import type { EngineResult } from "./engine-result.ts";

export type EngineDifference = {
  readonly what: string;
  readonly first: string;
  readonly second: string;
};

/** Differences that are listed; one is enough for an objection. */
export const maxDifferences = 10;
/** Characters of a listed value. Longer ones, such as the data of a log, are cut. */
export const maxValueLength = 160;

type Ran = Extract<EngineResult, { kind: "ran" }>;
type Entries = ReadonlyMap<string, string>;

const none = "none";
const cut = (value: string): string =>
  value.length <= maxValueLength ? value : `${value.slice(0, maxValueLength - 3)}...`;

/** Returns the first differences, at most `maxDifferences`. Empty if the results are equal. */
export function compareResults(first: EngineResult, second: EngineResult): readonly EngineDifference[] {
  const [one, other] = [entriesOf(first), entriesOf(second)];
  const found: EngineDifference[] = [];
  for (const what of new Set([...one.keys(), ...other.keys()])) {
    const [left, right] = [one.get(what) ?? none, other.get(what) ?? none];
    if (left !== right) found.push({ what, ...shown(left, right) });
    if (found.length === maxDifferences) break;
  }
  return found;
}

/** Long values that differ only after the cut are shown from the first character that differs. */
function shown(left: string, right: string): Pick<EngineDifference, "first" | "second"> {
  let at = 0;
  while (left[at] === right[at]) at += 1;
  const from = at < maxValueLength - 3 ? 0 : at;
  const part = (value: string): string => cut(from === 0 ? value : `...${value.slice(from)}`);
  return { first: part(left), second: part(right) };
}

function entriesOf(result: EngineResult): Entries {
  if (result.kind === "not executable") return new Map([["outcome", result.kind]]);
  return new Map([
    ["outcome", result.succeeded ? "succeeded" : "reverted"],
    ["gas used", result.gasUsed.toString()],
    ["logs", result.logs.length.toString()],
    ...listChanges(result),
  ]);
}

const listChanges = ({ logs, balances, slots, codes }: Ran): readonly (readonly [string, string])[] => [
  ...logs.map(
    ({ address, topics, data }, at) => [`log ${at + 1}`, [address, ...topics, data].join(" ")] as const,
  ),
  ...balances.map(({ address, change }) => [`balance of ${address}`, change.toString()] as const),
  ...slots.map(
    ({ address, slot, after }) => [`slot ${slot} of ${address}`, `0x${after.toString(16)}`] as const,
  ),
  ...codes.map(({ address, after }) => [`code of ${address}`, after] as const),
];
