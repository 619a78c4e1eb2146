// Points in time that rules about hours, weekdays and dates tell apart, in the policy's time zone.
import type { Instant } from "./world.ts";

const weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const hourMs = 3_600_000;
const weekHours = 7 * 24;
/** A Tuesday at noon, as in an owner's tests. */
const ordinaryMs = Date.parse("2026-01-06T12:00:00Z");
/** Years that a date is written in with four digits. */
const [earliestMs, latestMs] = [Date.parse("2000-01-01T00:00:00Z"), Date.parse("2100-01-01T00:00:00Z")];

type Named = {
  readonly hours: readonly number[];
  readonly weekdays: readonly number[];
  /** Milliseconds since 1970. */
  readonly instants: readonly number[];
  readonly timeZone: string;
};

/** Which numbers a value is at, or between. */
const placeAmong = (numbers: readonly number[], value: number): string =>
  `${numbers.filter((one) => one < value).length}${numbers.includes(value) ? "=" : ""}`;

/** Returns one instant for each combination of hour, weekday and date that the rules tell apart, an ordinary one first. */
export function instantsOf({ hours, weekdays: days, instants, timeZone }: Named): readonly Instant[] {
  const format = new Intl.DateTimeFormat("en-GB", {
    ...{ timeZone, hour: "2-digit", hourCycle: "h23", weekday: "short" },
  });
  const read = (ms: number): Instant => {
    const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, value]));
    return {
      ms,
      hour: Number(parts.get("hour")),
      weekday: weekdays.indexOf(parts.get("weekday") ?? "") + 1,
    };
  };
  const dates = [...new Set(instants)].filter((ms) => ms > earliestMs && ms < latestMs);
  const edges = dates.flatMap((ms) => [ms - 1, ms, ms + 1]);
  const needsWeeks = hours.length > 0 || days.length > 0;
  const weeks = [ordinaryMs, ...dates.flatMap((ms) => [ms - weekHours * hourMs, ms])].flatMap((ms) =>
    Array.from({ length: needsWeeks ? weekHours : 1 }, (_, hour) => ms + hour * hourMs),
  );
  const classes = new Map<string, Instant>();
  for (const ms of [...weeks, ...edges]) {
    const instant = read(ms);
    const places = [
      placeAmong(dates, ms),
      placeAmong(hours, instant.hour),
      placeAmong(days, instant.weekday),
    ];
    const key = places.join(" ");
    if (!classes.has(key)) classes.set(key, instant);
  }
  return [...classes.values()];
}
