import { describe, expect, test } from "vitest";
import type { Address } from "../proposal.ts";
import { openList, packLists, secondsLeft } from "./packed-list.ts";
import type { List } from "./list-file.ts";

const day = 86_400n;
const date = BigInt(Date.parse("2026-11-01T00:00:00Z")) / 1000n;
const addressOf = (index: number): Address => `0x${(index * 7919).toString(16).padStart(40, "0")}`;
const aList = (count: number, given: Partial<List> = {}): List => ({
  ...{ name: "one", asOf: "2026-11-01", source: "test", partial: false, signedBy: null },
  notes: new Map(
    Array.from({ length: count }, (_, index) => [addressOf(index), index % 3 === 0 ? null : `№ ${index}`]),
  ),
  ...given,
});
const openAt = (lists: readonly List[], now: bigint) => {
  const packed = packLists(lists);
  if (packed === null) throw new Error("nothing packed");
  return openList(packed, () => now, 45);
};

describe("a packed list", () => {
  test.each([1, 2, 3, 1_000])("finds each of its %i entries with its note, and no other", (count) => {
    const list = openAt([aList(count)], date);
    for (let index = 0; index < count; index += 1) {
      expect(list.has(addressOf(index))).toBe(true);
      expect(list.note(addressOf(index))).toBe(index % 3 === 0 ? null : `№ ${index}`);
    }
    for (const absent of [addressOf(count), `0x${"ff".repeat(20)}`, `0x${"0".repeat(39)}1`] as const) {
      expect(list.has(absent)).toBe(false);
      expect(list.note(absent)).toBeNull();
    }
    expect(list.size).toBe(count);
  });

  test("is the same in another thread", () => {
    const packed = packLists([aList(10)]);
    if (packed === null) throw new Error("nothing packed");
    const copy = structuredClone(packed);
    expect(openList(copy, () => date, 45).note(addressOf(4))).toBe("№ 4");
  });

  test.each([
    ["on its day", 0n, 0, true],
    ["on its last day", 45n * day, 45, true],
    ["a second later", 45n * day + 1n, 45, false],
  ])("%s: its age counts", (_, later, ageDays, fresh) => {
    expect(openAt([aList(1)], date + later)).toMatchObject({ ageDays, fresh });
  });

  test("clears nothing if it is partial, at any age", () => {
    const packed = packLists([aList(1, { partial: true })]);
    expect(packed === null ? null : secondsLeft(packed, date, 45)).toBeNull();
    expect(openAt([aList(1, { partial: true })], date).fresh).toBe(false);
  });

  test("counts down to the moment at which it no longer clears", () => {
    const packed = packLists([aList(1), aList(1, { asOf: "2026-10-01" })]);
    expect(packed === null ? null : secondsLeft(packed, date + 44n * day, 45)).toBe(Number(day));
    expect(packed === null ? null : secondsLeft(packed, date + 46n * day, 45)).toBe(-Number(day));
  });

  test("is null if there is no list", () => {
    expect(packLists([])).toBeNull();
  });
});
