// Chains count fixed windows from a beginning, or one total. Finds the largest such limit that is never more than a mandate's limits.
import { unitsOf } from "./amounts.ts";
import type { MandateTerms } from "./types.ts";

type Limit = MandateTerms["limits"][number];
type Validity = Pick<MandateTerms, "validFrom" | "validUntil">;

/** `seconds` is null for a total. */
export type Window = { readonly seconds: number | null; readonly units: bigint };

const hour = 3_600;
const day = 24 * hour;
/** The longest day, week and month of a calendar, on which clocks change. */
const longest: Readonly<Record<string, number>> = {
  day: day + hour,
  week: 7 * day + hour,
  month: 31 * day + hour,
};

/** The length of a limit's span. Null for a transaction and for a total. */
export function lengthOf({ span, seconds }: Pick<Limit, "span" | "seconds">): number | null {
  if (span === "transaction" || span === "total") return null;
  return span === "period" || span === "rolling"
    ? seconds
    : (longest[span.split(" ")[0] ?? ""] ?? 31 * day + hour);
}

const ceil = (one: number, other: number): number => Math.ceil(one / other);

/** How many windows of a length can fall into the span of a limit. */
function windowsIn(limit: Limit, seconds: number | null, { validFrom, validUntil }: Validity): number {
  if (seconds === null || limit.span === "transaction") return 1;
  if (limit.span === "total") return ceil(validUntil - validFrom, seconds);
  const length = lengthOf(limit) ?? 0;
  // Periods of a mandate begin with the windows.
  if (limit.span === "period" && length % seconds === 0) return length / seconds;
  if (limit.span === "period" && seconds % length === 0) return 1;
  return ceil(length, seconds) + 1;
}

/** The smallest of at least one number. */
export const least = (numbers: readonly bigint[]): bigint =>
  numbers.reduce((one, other) => (one < other ? one : other));

/** The largest amount per window with which every limit holds. */
const unitsWith = (limits: readonly Limit[], seconds: number | null, validity: Validity): bigint =>
  least(limits.map((limit) => unitsOf(limit) / BigInt(windowsIn(limit, seconds, validity))));

/** Returns how much a window allows in the whole time. */
const allOf = ({ seconds, units }: Window, { validFrom, validUntil }: Validity): bigint =>
  seconds === null ? units : units * BigInt(ceil(validUntil - validFrom, seconds));

/**
 * Returns the window that allows most in the whole time and never more than any of the limits, or undefined if there are
 * none, or only a window of nothing would hold them.
 */
export function windowWithin(limits: readonly Limit[], validity: Validity): Window | undefined {
  if (limits.length === 0) return undefined;
  const lengths = [...new Set(limits.flatMap((limit) => lengthOf(limit) ?? []))];
  const windows = [...lengths, null]
    .map((seconds): Window => ({ seconds, units: unitsWith(limits, seconds, validity) }))
    .filter(({ units }) => units > 0n);
  return windows.reduce<Window | undefined>(
    (best, one) => (best === undefined || allOf(one, validity) > allOf(best, validity) ? one : best),
    undefined,
  );
}

/** Whether a window is exactly a limit. */
export const isExactly = (limit: Limit, { seconds, units }: Window): boolean =>
  unitsOf(limit) === units &&
  (seconds === null ? limit.span === "total" : limit.span === "period" && limit.seconds === seconds);
