import { shapes } from "@countersign/wire";
import { expect, test } from "vitest";
import { notWatchedNotice, releaseNotices } from "./unseen.ts";
import { visibilityOf } from "./visibility.ts";

type Seen = Parameters<typeof visibilityOf>[0];
const noticeOf = (changes: Partial<Seen>) =>
  visibilityOf({
    ...{ phase: "EXECUTED", shape: null, isWatched: true, useKind: null, onchain: null },
    ...changes,
  }).notice;

test.each(shapes)("shows the notice of a %s until it was refused", (shape) => {
  const { unwatched, watched } = releaseNotices[shape];
  expect(noticeOf({ phase: "AWAITING", shape })).toBe(unwatched);
  expect(noticeOf({ shape, onchain: "released" })).toBe(unwatched);
  expect(noticeOf({ shape, onchain: "released", useKind: "any" })).toBe(watched);
  expect(noticeOf({ shape, onchain: "useSeen", useKind: "any" })).toBe(watched);
  expect(noticeOf({ shape, onchain: "released", useKind: "any", isWatched: false })).toBe(unwatched);
  expect([noticeOf({ shape, phase: "REJECTED" }), noticeOf({ shape, phase: "FAILED" })]).toEqual([
    null,
    null,
  ]);
});

test.each(["used", "unused"] as const)("shows no notice once it is final that it was %s", (onchain) => {
  expect(noticeOf({ shape: "typedData", useKind: "any", onchain })).toBeNull();
});

test("shows a notice of a transaction only while it may be sent on a chain that is not watched", () => {
  const seen = { shape: null, phase: "READY", useKind: null, onchain: null } as const;
  expect(visibilityOf({ ...seen, isWatched: true })).toEqual({ chainWatched: true, notice: null });
  expect(visibilityOf({ ...seen, isWatched: false })).toEqual({
    chainWatched: false,
    notice: notWatchedNotice,
  });
  expect(noticeOf({ phase: "EXECUTED", isWatched: false })).toBeNull();
});
