// Builds a dictionary for zstd from reports: text that new reports repeat. zstd refers to earlier text by its distance, so the
// most frequent text is last.
import type { Verdict } from "../../apps/validator/src/validate/validate.ts";

/** As they occur in a report's JSON. */
const membersOf = (record: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.entries(record).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);

const partsOf = ({ results, context }: Verdict): ReadonlySet<string> =>
  new Set([...membersOf(results), ...membersOf(context)]);

function countParts(reports: readonly Verdict[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const report of reports)
    for (const part of partsOf(report)) counts.set(part, (counts.get(part) ?? 0) + 1);
  return counts;
}

/** Returns the report whose parts are the most common ones. */
function findTypical(reports: readonly Verdict[], counts: ReadonlyMap<string, number>): Verdict {
  const weightOf = (report: Verdict): number =>
    [...partsOf(report)].reduce((sum, part) => sum + (counts.get(part) ?? 0), 0);
  return reports.reduce((best, report) => (weightOf(report) > weightOf(best) ? report : best));
}

const byFrequency = (
  [one, count]: readonly [string, number],
  [other, otherCount]: readonly [string, number],
) => otherCount - count || (one < other ? -1 : 1);

/** Returns a typical report, and before it the parts of others that occur more than once, as many as there is room for. */
export function buildDictionary(reports: readonly Verdict[], mostBytes: number): string {
  const counts = countParts(reports);
  const typical = findTypical(reports, counts);
  const text = JSON.stringify(typical);
  const inTypical = partsOf(typical);
  let left = mostBytes - Buffer.byteLength(text);
  const parts: string[] = [];
  for (const [part, count] of [...counts].sort(byFrequency)) {
    const bytes = Buffer.byteLength(part) + 1;
    if (count < 2 || inTypical.has(part) || bytes > left) continue;
    parts.push(part);
    left -= bytes;
  }
  return `${parts.reverse().join(",")}${text}`;
}
