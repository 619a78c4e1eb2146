import { expect, test } from "vitest";
import { visiblePart } from "./use-window.ts";

const rows = Array.from({ length: 1000 }, () => 60);

test.each([
  [0, 600, { from: 0, to: 11, above: 0, below: 989 * 60 }],
  [6000, 6600, { from: 99, to: 111, above: 99 * 60, below: 889 * 60 }],
  [59_700, 70_000, { from: 994, to: 1000, above: 994 * 60, below: 0 }],
])("renders the rows between %d and %d px, and keeps the height of the rest", (top, bottom, part) => {
  expect(visiblePart(rows, top, bottom)).toEqual(part);
});

test("renders nothing of an empty list", () => {
  expect(visiblePart([], 0, 600)).toEqual({ from: 0, to: 0, above: 0, below: 0 });
});
