import type { TransactionView } from "@countersign/sdk";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { newer, newerPages } from "./known.ts";

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const known = (second: number, asOf = second) => ({
  ...{ value: { updatedAt: at(second) }, asOf: new Date(at(asOf)), isLatest: true },
});
const row = (requestHash: string, second: number): TransactionView =>
  ({ requestHash, updatedAt: at(second) }) as TransactionView;
const pages = (...rows: TransactionView[]) => ({
  pages: [{ value: rows, asOf: new Date(0), isLatest: true, cursor: undefined }],
  pageParams: [undefined],
});

describe("newer", () => {
  test("accepts the first answer and any that is not older", () => {
    expect(newer(undefined, known(1))).toEqual(known(1));
    expect(newer(known(1), known(2))).toEqual(known(2));
    expect(newer(known(1, 1), known(1, 5))).toEqual(known(1, 5));
  });

  test("keeps newer data, unconfirmed, when a stale answer arrives", () => {
    expect(newer(known(5), known(1, 9))).toEqual({ ...known(5), isLatest: false });
  });

  test("confirms again with the next current answer", () => {
    expect(newer(newer(known(5), known(1)), known(5, 8))).toEqual(known(5, 8));
  });

  test("keeps the identity of unchanged data", () => {
    const first = known(1);
    const { value, asOf } = newer(first, known(1, 5));
    expect(value).toBe(first.value);
    expect(asOf).toEqual(new Date(at(5)));
  });

  test("returns the newest answer in any order", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 59 }), { minLength: 1 }), (seconds) => {
        let held: ReturnType<typeof known> | undefined;
        for (const second of seconds) held = newer(held, known(second));
        expect(held?.value.updatedAt).toBe(at(Math.max(...seconds)));
      }),
    );
  });
});

describe("newerPages", () => {
  test("keeps rows that were newer before", () => {
    const answer = newerPages(pages(row("a", 5), row("b", 1)), pages(row("c", 9), row("a", 2), row("b", 3)));
    expect(answer.pages[0]?.value).toEqual([row("c", 9), row("a", 5), row("b", 3)]);
    expect(answer.pages[0]?.isLatest).toBe(false);
  });

  test("keeps the identity of unchanged rows", () => {
    const [before, same] = [row("a", 1), row("b", 1)];
    const { pages: after } = newerPages(pages(before, same), pages(row("a", 2), row("b", 1)));
    expect(after[0]?.value[0]).not.toBe(before);
    expect(after[0]?.value[1]).toBe(same);
  });

  test("is confirmed if no row is stale", () => {
    expect(newerPages(undefined, pages(row("a", 1))).pages[0]?.isLatest).toBe(true);
    expect(newerPages(pages(row("a", 1)), pages(row("a", 1))).pages[0]?.isLatest).toBe(true);
  });
});
