// The buckets in which a period is reported, all in UTC.

export const periods = ["24h", "7d", "30d", "all"] as const;
export type Period = (typeof periods)[number];
export type Unit = "hour" | "day" | "month";

export type Span = {
  /** The start of the first bucket. */
  readonly from: Date;
  readonly to: Date;
  readonly unit: Unit;
  /** The start of each bucket, oldest first. The last one is not over. */
  readonly starts: readonly Date[];
};

/** Bounds the size of an answer for old accounts. */
export const mostBuckets = 400;

/** Returns the start of the unit that contains the date, or of one a number of units away. */
function beginningOf(unit: Unit, date: Date, away = 0): Date {
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  if (unit === "month") return new Date(Date.UTC(year, month + away, 1));
  if (unit === "day") return new Date(Date.UTC(year, month, day + away));
  return new Date(Date.UTC(year, month, day, date.getUTCHours() + away));
}

function spanOf(unit: Unit, from: Date, to: Date): Span {
  const starts: Date[] = [];
  for (let start = from; start <= to; start = beginningOf(unit, start, 1)) starts.push(start);
  return { from, to, unit, starts };
}

function spanSince(since: Date, to: Date): Span {
  // If the clock went back, the answer still has a bucket.
  const first = since < to ? since : to;
  const unit = first >= beginningOf("day", to, 1 - mostBuckets) ? "day" : "month";
  const earliest = beginningOf(unit, to, 1 - mostBuckets);
  const from = beginningOf(unit, first);
  return spanOf(unit, from > earliest ? from : earliest, to);
}

const fixed = {
  "24h": { unit: "hour", hours: 24 },
  "7d": { unit: "day", hours: 7 * 24 },
  "30d": { unit: "day", hours: 30 * 24 },
} as const;

/**
 * Returns the whole period that ends now. It begins at a full hour, so the first bucket may be shorter than
 * the others; `all` begins at `since`.
 */
export function spanOfPeriod(period: Period, since: Date, now: Date): Span {
  if (period === "all") return spanSince(since, now);
  const { unit, hours } = fixed[period];
  return spanOf(unit, beginningOf("hour", now, -hours), now);
}
