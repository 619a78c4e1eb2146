import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mostBuckets, periods, spanOfPeriod, type Period } from "./period.ts";

const now = new Date("2026-03-01T10:20:30.456Z");
const longAgo = new Date("2020-01-01T00:00:00Z");
const startsOf = (period: Period, since = longAgo) =>
  spanOfPeriod(period, since, now).starts.map((start) => start.toISOString());

describe("a period", () => {
  test("of 24 hours begins with the hour of 24 hours ago and ends with the current hour", () => {
    const starts = startsOf("24h");
    expect(starts).toHaveLength(25);
    expect([starts[0], starts.at(-1)]).toEqual(["2026-02-28T10:00:00.000Z", "2026-03-01T10:00:00.000Z"]);
  });

  test.each([
    ["7d", 8, ["2026-02-22T10:00:00.000Z", "2026-02-23T00:00:00.000Z"]],
    ["30d", 31, ["2026-01-30T10:00:00.000Z", "2026-01-31T00:00:00.000Z"]],
  ] as const)("of %s begins at the hour, then continues by day", (period, count, first) => {
    const starts = startsOf(period);
    expect(starts).toHaveLength(count);
    expect([starts[0], starts[1], starts.at(-1)]).toEqual([...first, "2026-03-01T00:00:00.000Z"]);
  });

  test.each([
    ["24h", 24],
    ["7d", 7 * 24],
    ["30d", 30 * 24],
  ] as const)("of %s covers all of its %i hours, and less than one hour more", (period, hours) => {
    fc.assert(
      fc.property(fc.date({ min: longAgo, max: now, noInvalidDate: true }), (to) => {
        const coveredMs = to.getTime() - spanOfPeriod(period, longAgo, to).from.getTime();
        expect(coveredMs).toBeGreaterThanOrEqual(hours * 3_600_000);
        expect(coveredMs).toBeLessThan((hours + 1) * 3_600_000);
      }),
    );
  });

  test("of everything is by day up to 400 days, and by month beyond", () => {
    const today = startsOf("all", now);
    expect(today).toEqual(["2026-03-01T00:00:00.000Z"]);
    expect(startsOf("all", new Date("2025-01-26T00:00:00Z"))).toHaveLength(400);
    const months = startsOf("all", new Date("2025-01-25T23:59:59.999Z"));
    expect(months).toHaveLength(15);
    expect([months[0], months.at(-1)]).toEqual(["2025-01-01T00:00:00.000Z", "2026-03-01T00:00:00.000Z"]);
  });

  test("never exceeds the maximum number of buckets, has no gaps, and contains its end", () => {
    const anyDate = fc.date({
      min: new Date("1970-01-01"),
      max: new Date("2100-01-01"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(fc.constantFrom(...periods), anyDate, anyDate, (period, since, to) => {
        const { from, unit, starts } = spanOfPeriod(period, since, to);
        expect(starts.length).toBeGreaterThan(0);
        expect(starts.length).toBeLessThanOrEqual(mostBuckets);
        expect(starts[0]).toEqual(from);
        const longestMs = { hour: 1, day: 24, month: 31 * 24 }[unit] * 3_600_000;
        const ends = [...starts.slice(1), to];
        for (const [index, start] of starts.entries()) {
          const lengthMs = (ends[index] ?? to).getTime() - start.getTime();
          expect(lengthMs).toBeGreaterThanOrEqual(index === starts.length - 1 ? 0 : 3_600_000);
          expect(lengthMs).toBeLessThanOrEqual(longestMs);
        }
      }),
    );
  });
});
