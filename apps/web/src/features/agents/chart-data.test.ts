import { expect, test } from "vitest";
import { isEmpty, stackedOf } from "./chart-data.ts";

const bucket = (start: string, approved: number, rejected: number, undecided: number) => ({
  ...{ start, approved, rejected, undecided },
  total: approved + rejected + undecided,
});

test("stacks each series on those below it", () => {
  const buckets = [bucket("2026-01-01T00:00:00Z", 3, 2, 1), bucket("2026-01-02T00:00:00Z", 0, 4, 0)];
  expect(stackedOf(buckets)).toEqual([
    [1_767_225_600, 1_767_312_000],
    [3, 0],
    [5, 4],
    [6, 4],
  ]);
});

test("detects a period without checks", () => {
  expect(isEmpty([bucket("2026-01-01T00:00:00Z", 0, 0, 0)])).toBe(true);
  expect(isEmpty([bucket("2026-01-01T00:00:00Z", 0, 0, 1)])).toBe(false);
});
