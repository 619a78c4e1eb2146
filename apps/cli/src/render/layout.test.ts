import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { columnsOf, rows, wrap } from "./layout.ts";
import { readSpan, span, when } from "./times.ts";

const word = fc.string({ minLength: 1, maxLength: 30 }).filter((text) => !/\s/u.test(text));

describe("wrap", () => {
  test("keeps every word whole and lines within the width", () => {
    fc.assert(
      fc.property(fc.array(word), fc.integer({ min: 10, max: 100 }), (words, width) => {
        const lines = wrap(words.join(" "), width, { first: "  - ", rest: "    " });
        expect(lines.flatMap((line) => line.slice(4).split(" "))).toEqual(words);
        for (const line of lines)
          if (line.slice(4).includes(" ")) expect(columnsOf(line)).toBeLessThanOrEqual(width);
      }),
    );
  });

  test("counts wide characters as two columns and marks as none", () => {
    expect(columnsOf("送金")).toBe(4);
    expect(columnsOf("e\u0301")).toBe(1);
  });
});

describe("rows", () => {
  test("places text next to its label, or below it if a word would not fit", () => {
    const given = [["a label", `goes to 0x${"1".repeat(40)}`]] as const;
    expect(rows(given, 80)).toEqual([`  a label  goes to 0x${"1".repeat(40)}`]);
    expect(rows(given, 48)).toEqual(["  a label", "    goes to", `    0x${"1".repeat(40)}`]);
  });
});

describe("times", () => {
  test("use the two largest units", () => {
    expect([0, 999, 61_000, 3_600_000, 90_061_000].map(span)).toEqual([
      ...["0 s", "1 s", "1 min 1 s", "1 h", "1 day 1 h"],
    ]);
  });

  test("show relative and exact time", () => {
    const now = new Date("2026-01-01T12:00:00Z");
    expect(when("2026-01-01T12:02:00Z", now)).toBe("in 2 min (2026-01-01 12:02:00 UTC)");
    expect(when("2026-01-01T11:59:00Z", now)).toBe("1 min ago (2026-01-01 11:59:00 UTC)");
    expect(when("soon", now)).toBe("soon");
  });

  test("parse a duration with a unit, and reject others", () => {
    expect(["90s", "10m", "2h", "1d"].map(readSpan)).toEqual([90_000, 600_000, 7_200_000, 86_400_000]);
    for (const text of ["", "10", "h", "-1h", "1.5h", "2 h", "1w"]) expect(readSpan(text)).toBeUndefined();
  });
});
