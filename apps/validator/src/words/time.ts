/** Dates and times of day, found in the text before anything else so that their digits are never taken for amounts. */
import type { Item } from "./items.ts";

const ISO =
  /\b(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2}))?)?(?:\.\d{1,6})?(?: ?(?:Z|UTC|GMT|z|utc))?(?![\p{L}\d])/gu;
const CLOCK =
  /\b\d{1,2}:\d{2}(?::\d{2})?(?: ?(?:[ap]\.?m\b\.?|UTC|GMT|CET|EST|PST|h))?|\b\d{1,2} ?[ap]m\b/giu;
const SLASHED = /\b\d{1,2}\/\d{1,2}\/\d{2,4}\b/g;

type Instant = { readonly start: number; readonly end: number; readonly unix: bigint | null };

const unixOf = (parts: readonly (string | undefined)[]): bigint | null => {
  const [year, month, day, hour, minute, second] = parts.map((part) => Number(part ?? "0"));
  if (
    year === undefined ||
    month === undefined ||
    day === undefined ||
    month < 1 ||
    month > 12 ||
    day < 1 ||
    day > 31
  )
    return null;
  return BigInt(Date.UTC(year, month - 1, day, hour, minute, second)) / 1000n;
};

/** A date or a time has a figure next to a colon, a dash or a slash, or before "am" and "pm": few texts do. */
const HINT = /\d[-:/]\d|\d ?[ap]m/i;

const findInstants = (text: string): Instant[] => {
  const out: Instant[] = [];
  if (!HINT.test(text)) return out;
  for (const found of text.matchAll(ISO)) {
    out.push({ start: found.index, end: found.index + found[0].length, unix: unixOf(found.slice(1, 7)) });
  }
  for (const pattern of [CLOCK, SLASHED]) {
    for (const found of text.matchAll(pattern))
      out.push({ start: found.index, end: found.index + found[0].length, unix: null });
  }
  return out.sort((a, b) => a.start - b.start);
};

/** Turns the items inside a date into one `date` item (its unix seconds in `v`, empty where it is only a time of day). */
export const joinDates = (items: Item[], clean: string): void => {
  const instants = findInstants(clean);
  let next = 0;
  let head: Item | null = null;
  for (const item of items) {
    while (next < instants.length && (instants[next]?.end ?? 0) <= item.start) {
      next += 1;
      head = null;
    }
    const instant = instants[next];
    if (instant === undefined) return;
    if (item.start < instant.start || item.start >= instant.end) continue;
    if (head === null) {
      head = item;
      item.k = "date";
      item.v = instant.unix === null ? "" : String(instant.unix);
    } else {
      item.skip = true;
      item.k = "part";
    }
  }
};
