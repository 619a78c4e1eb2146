import { expect, test } from "vitest";
import { longestGap, percentile, stallsIn } from "./figures.ts";

test.each([
  ["nothing happened", [], 10],
  ["it happened before and after", [500, 30_000], 10],
  ["it happened twice", [2_000, 5_000], 6],
  ["the times are not in order", [5_000, 2_000], 6],
])("the longest gap is part of the window: %s", (_, times, gap) => {
  expect(longestGap(times, { from: 1_000, to: 11_000 })).toBe(gap);
});

test("a stall is reported for each stage", () => {
  const progress = { accepted: [1_000, 2_000], decided: [3_000], executed: [] };
  expect(stallsIn(progress, [{ name: "x", from: 0, to: 4_000 }])).toEqual([
    { name: "x", accepted: 2, decided: 3, executed: 4 },
  ]);
});

test("a percentile is one of the values, in seconds", () => {
  const times = Array.from({ length: 100 }, (__, index) => (index + 1) * 1000);
  expect([percentile(times, 0.5), percentile(times, 0.99), percentile(times, 1)]).toEqual([51, 100, 100]);
  expect(percentile([], 0.5)).toBe(0);
});
