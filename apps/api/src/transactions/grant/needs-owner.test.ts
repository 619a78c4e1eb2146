import { expect, test } from "vitest";
import { ago, repeatedRequest } from "./needs-owner.ts";

test.each([
  [0, "less than a minute ago"],
  [59.9, "less than a minute ago"],
  [60, "1 minute ago"],
  [3 * 60 + 59, "3 minutes ago"],
  [3_600, "1 hour ago"],
  [23 * 3_600 + 3_599, "23 hours ago"],
  [86_400, "1 day ago"],
  [3 * 86_400 - 1, "2 days ago"],
])("%d seconds are written as %s", (seconds, text) => {
  expect(ago(seconds)).toBe(text);
});

const earlier = {
  requestHash: `0x${"ab".repeat(32)}`,
  at: new Date("2026-03-01T12:00:00Z"),
  seconds: 180,
} as const;

test("names the earlier payment and its age", () => {
  expect(repeatedRequest({ ...earlier, state: "made" })).toEqual({
    code: "REPEATED_REQUEST",
    message: "This repeats a payment made 3 minutes ago",
    repeats: { requestHash: earlier.requestHash, at: "2026-03-01T12:00:00.000Z" },
  });
});

test("does not call a payment made that is only approved", () => {
  expect(repeatedRequest({ ...earlier, state: "held" }).message).toBe(
    "This repeats a payment approved 3 minutes ago",
  );
});
