import { expect, test } from "vitest";
import { attemptsAtMost, disabledReasonOf, pauseMsAfter } from "./retry.ts";

test("pauses grow from a second to an hour, and a message is tried for about three hours", () => {
  const pauses = Array.from({ length: attemptsAtMost - 1 }, (_, index) => pauseMsAfter(index + 1, 1000));
  expect(pauses.map((ms) => ms / 1000)).toEqual([1, 4, 16, 64, 256, 1024, 3600, 3600, 3600]);
});

test("a pause that a receiver asks for counts if it is longer, up to an hour", () => {
  expect(pauseMsAfter(1, 1000, 90_000)).toBe(90_000);
  expect(pauseMsAfter(6, 1000, 90_000)).toBe(1_024_000);
  expect(pauseMsAfter(1, 1000, 86_400_000)).toBe(3_600_000);
});

const day = 24 * 60 * 60 * 1000;
const now = new Date("2026-11-17T12:00:00Z");
const failingSince = (days: number): Date => new Date(now.getTime() - days * day);

test("keeps a channel that fails for less than five days", () => {
  expect(
    disabledReasonOf({ kind: "webhook", status: 500, failingSince: failingSince(4.9), now }),
  ).toBeUndefined();
  expect(disabledReasonOf({ kind: "webhook", status: null, failingSince: now, now })).toBeUndefined();
});

test("switches a channel off after five days of failures, or if its receiver is gone", () => {
  expect(disabledReasonOf({ kind: "webhook", status: 500, failingSince: failingSince(5), now })).toContain(
    "5 days",
  );
  expect(disabledReasonOf({ kind: "webhook", status: 410, failingSince: now, now })).toContain("410");
});

test.each([
  ["webhook", 404, false],
  ["slack", 404, true],
  ["slack", 403, false],
  ["discord", 404, true],
  ["telegram", 401, true],
  ["telegram", 403, true],
  ["telegram", 400, false],
] as const)("a %s channel that answers %i is switched off: %s", (kind, status, isOff) => {
  expect(disabledReasonOf({ kind, status, failingSince: now, now }) !== undefined).toBe(isOff);
});
