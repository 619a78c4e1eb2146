// What is known of something, and of when. An answer that is older than what is known already never takes its place, however
// late it comes.
import type { TransactionView } from "@countersign/sdk";
import { replaceEqualDeep, type InfiniteData } from "@tanstack/react-query";

/** The service's word, and of when it is. */
export type Known<Value> = {
  readonly value: Value;
  /** It was so then, or later: when the service was asked. */
  readonly asOf: Date;
  /** False when the last answer was older than this: then something is wrong between the service and this page. */
  readonly isLatest: boolean;
};

type Dated = { readonly updatedAt: string };

const isOlder = (one: Dated, other: Dated): boolean =>
  Date.parse(one.updatedAt) < Date.parse(other.updatedAt);

/**
 * The newer of the two. What is kept although an older answer came is kept with its own time. What says the same again is the
 * same object, so that nothing is drawn anew for it.
 */
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

/** The same for a list, row by row. */
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
