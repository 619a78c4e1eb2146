// Splits calldata for display: the four-byte selector, then rows of 32 bytes.
import { stretches, type Marked } from "./flags.ts";

export type BytePiece = { readonly hex: string; readonly by: readonly number[] };
export type ByteRow = { readonly offset: number; readonly pieces: readonly BytePiece[] };
/** `gap`: number of rows hidden before that offset. */
export type Shown = ByteRow | { readonly gap: number; readonly before: number };

const selectorLength = 4;
const rowLength = 32;
const few = 8;

export const bytesIn = (data: string): number =>
  /^0x([0-9a-f]{2})*$/i.test(data) ? (data.length - 2) / 2 : 0;

export function byteRows(data: string, ranges: Parameters<typeof stretches>[1]): readonly ByteRow[] {
  const length = bytesIn(data);
  const marked = stretches(length, ranges);
  const rows: ByteRow[] = [];
  for (let offset = 0; offset < length; offset += offset === 0 ? selectorLength : rowLength) {
    const end = Math.min(length, offset + (offset === 0 ? selectorLength : rowLength));
    rows.push({ offset, pieces: piecesOf(data, marked, offset, end) });
  }
  return rows;
}

const piecesOf = (
  data: string,
  marked: readonly Marked[],
  start: number,
  end: number,
): readonly BytePiece[] =>
  marked
    .filter(({ from, to }) => from < end && to > start)
    .map(({ from, to, by }) => ({
      hex: data.slice(2 + 2 * Math.max(from, start), 2 + 2 * Math.min(to, end)),
      by,
    }));

const isMarked = ({ pieces }: ByteRow): boolean => pieces.some(({ by }) => by.length > 0);

/**
 * Returns the first rows and every flagged row, with the number of hidden rows in between. Hiding only a few rows is not worth
 * it.
 */
export function shortened(rows: readonly ByteRow[], first: number): readonly Shown[] {
  if (rows.length <= first + few) return rows;
  const shown: Shown[] = [];
  let gap = 0;
  for (const [index, row] of rows.entries()) {
    if (index >= first && !isMarked(row)) {
      gap += 1;
      continue;
    }
    if (gap > 0) shown.push({ gap, before: row.offset });
    gap = 0;
    shown.push(row);
  }
  return gap > 0 ? [...shown, { gap, before: Number.POSITIVE_INFINITY }] : shown;
}

/** `0x0024` */
export const offsetLabel = (offset: number): string => `0x${offset.toString(16).padStart(4, "0")}`;
