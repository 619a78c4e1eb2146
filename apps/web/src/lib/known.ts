// Data with the time it was requested. A stale response never replaces a newer one.
import type { TransactionView } from "@countersign/sdk";
import { replaceEqualDeep, type InfiniteData } from "@tanstack/react-query";

export type Known<Value> = {
  readonly value: Value;
  /** When the request was made: the state was valid then or later. */
  readonly asOf: Date;
  /** False if the last response was older than this data, which points to a stale replica or cache. */
  readonly isLatest: boolean;
};

type Dated = { readonly updatedAt: string };

const isOlder = (one: Dated, other: Dated): boolean =>
  Date.parse(one.updatedAt) < Date.parse(other.updatedAt);

/** Returns the newer of two responses, with its own time. Unchanged data keeps its identity, so that nothing rerenders. */
export function newer<Value extends Dated>(
  known: Known<Value> | undefined,
  answer: Known<Value>,
): Known<Value> {
  if (known === undefined) return answer;
  if (isOlder(answer.value, known.value)) return { ...known, isLatest: false };
  return { ...answer, value: replaceEqualDeep(known.value, answer.value) };
}

export type TransactionPage = Known<readonly TransactionView[]> & { readonly cursor: string | undefined };
export type Pages = InfiniteData<TransactionPage, string | undefined>;

/** Applies `newer` to each row of a list. */
export function newerPages(known: Pages | undefined, answer: Pages): Pages {
  const rows = new Map(
    known?.pages.flatMap(({ value }) => value.map((row) => [row.requestHash, row] as const)) ?? [],
  );
  const pages = answer.pages.map((page): TransactionPage => {
    let { isLatest } = page;
    const value = page.value.map((row) => {
      const before = rows.get(row.requestHash);
      if (before === undefined) return row;
      if (!isOlder(row, before)) return replaceEqualDeep(before, row);
      isLatest = false;
      return before;
    });
    return { ...page, value, isLatest };
  });
  return { ...answer, pages };
}
