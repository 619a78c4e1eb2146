/** Numbers in running text: digits and words, scales, money, shares and base units. Works on items, from a place onward. */
import type { Decimal, Span } from "../intent.ts";
import { isOne, itemAt, kinds, type Item } from "./items.ts";
import { decimal, plus, times, toWhole, type Ratio } from "./numbers.ts";

export type Figure = {
  readonly n: Decimal;
  readonly others: readonly Decimal[];
  readonly unit: "none" | "percent" | "bps" | "wei" | "fiat" | "time";
  readonly currency: "USD" | "EUR" | "GBP" | null;
  /** Exponent of ten of a raw unit (gwei is 9), or seconds of a unit of time. */
  readonly factor: bigint;
  readonly start: number;
  readonly next: number;
  readonly span: Span;
  readonly m: boolean;
  readonly absurd: boolean;
};

const parseDecimal = (text: string): Decimal => {
  const [whole = "0", fraction = ""] = text.split(".");
  return decimal(BigInt(whole + fraction), fraction.length);
};

const CURRENCY: Readonly<Record<string, "USD" | "EUR" | "GBP">> = { $: "USD", "€": "EUR", "£": "GBP" };

const scaleOf = (item: Item): Decimal | null => (item.k === "scale" ? decimal(1n, -Number(item.v)) : null);

type Words = { n: Decimal; next: number };
type Raw = Words & { others: readonly Decimal[]; m: boolean; absurd: boolean };

/** Number words from a place: "two and a half", "fifteen hundred", "one hundred and twenty thousand". */
const readNumberWords = (items: readonly Item[], at: number): Words | null => {
  let total = decimal(0n);
  let group: Decimal | null = null;
  let next = at;
  for (; next < at + 16; next += 1) {
    const item = itemAt(items, next);
    if (isSmall(item)) group = plus(group ?? decimal(0n), parseDecimal(item.v));
    else if (item.k === "scale") [total, group] = applyScale(total, group, item);
    else if (item.k === "andhalf") group = plus(group ?? decimal(0n), parseDecimal(item.v));
    else if (next === at || !isJoint(items, next)) break;
  }
  return next === at ? null : { n: plus(total, group ?? decimal(0n)), next };
};

/** The "and" of "one hundred and twenty". */
const isJoint = (items: readonly Item[], at: number): boolean =>
  itemAt(items, at).k === "and" && isSmall(itemAt(items, at + 1)) && itemAt(items, at - 1).k === "scale";

const isSmall = (item: Item): boolean => item.k === "num" && item.read === null;

const applyScale = (total: Decimal, group: Decimal | null, item: Item): [Decimal, Decimal | null] => {
  const by = decimal(1n, -Number(item.v));
  const scaled = times(group ?? decimal(1n), by);
  // "two hundred thousand": a hundred stays open for a larger scale, the larger ones close their group.
  return Number(item.v) <= 2 ? [total, scaled] : [plus(total, scaled), null];
};

/** "a thousand", "half a million", "an": an article that counts as one before a scale. */
const articleBeforeScale = (items: readonly Item[], at: number): boolean =>
  /^(?:a|an|un|una|um|uma|une|eine|ein)$/.test(itemAt(items, at).low) && itemAt(items, at + 1).k === "scale";

const digitsAt = (items: readonly Item[], at: number): Raw | null => {
  const { k, read } = itemAt(items, at);
  if (k !== "num" || read === null) return null;
  let { n } = read;
  let others = [...read.others];
  let next = at + 1;
  for (
    let by = scaleOf(itemAt(items, next));
    by !== null && next < at + 4;
    by = scaleOf(itemAt(items, next))
  ) {
    const factor = by;
    n = times(n, factor);
    others = others.map((one) => times(one, factor));
    next += 1;
  }
  if (itemAt(items, next).k === "andhalf") {
    n = plus(n, parseDecimal(itemAt(items, next).v));
    next += 1;
  }
  return { n, others, next, m: read.m === true && next === at + 1, absurd: read.absurd === true };
};

const WORD_NUMBERS = kinds("num,scale");

const rawAt = (items: readonly Item[], at: number): Raw | null => {
  const digits = digitsAt(items, at);
  if (digits !== null) return digits;
  const from = articleBeforeScale(items, at) ? at + 1 : at;
  const first = itemAt(items, from);
  // "k" and "m" alone are letters; "thousand" alone is a number.
  if (!isOne(first, WORD_NUMBERS) || (first.k === "scale" && first.low.length < 3 && from === at))
    return null;
  const words = readNumberWords(items, from);
  return words === null ? null : { ...withPlaces(items, words), others: [], m: false, absurd: false };
};

const POINTS = new Set("point punto coma ponto virgula virgule komma".split(" "));
const DIGIT = /^[0-9]$/;
const PLACES_MAX = 18;

/** "Zero point zero five": after the word for the decimal mark come digits. */
function withPlaces(items: readonly Item[], { n, next }: Words): Words {
  if (!POINTS.has(itemAt(items, next).low) || n.scale > 0) return { n, next };
  let places = "";
  let end = next + 1;
  for (
    ;
    isSmall(itemAt(items, end)) && DIGIT.test(itemAt(items, end).v) && places.length < PLACES_MAX;
    end += 1
  )
    places += itemAt(items, end).v;
  return places === "" ? { n, next } : { n: plus(n, decimal(BigInt(places), places.length)), next: end };
}

type Unit = Pick<Figure, "unit" | "currency" | "factor"> & { next: number };
const noUnit = (next: number): Unit => ({ unit: "none", currency: null, factor: 1n, next });

const UNITS: Readonly<Record<string, Figure["unit"]>> = {
  percent: "percent",
  bps: "bps",
  wei: "wei",
  unit: "time",
};

const unitAt = (items: readonly Item[], at: number): Unit => {
  const item = itemAt(items, at);
  const unit = item.v === "%" ? "percent" : UNITS[item.k];
  if (unit !== undefined) {
    const factor = unit === "wei" || unit === "time" ? BigInt(item.v) : 1n;
    return { unit, currency: null, factor, next: at + 1 };
  }
  const currency = item.k === "fiat" ? (item.v as "USD" | "EUR" | "GBP") : CURRENCY[item.v];
  return currency === undefined ? noUnit(at) : { unit: "fiat", currency, factor: 1n, next: at + 1 };
};

/** The figure that starts at an item, with its unit, or null. */
export const figureAt = (items: readonly Item[], at: number): Figure | null => {
  const sign = CURRENCY[itemAt(items, at).v];
  const prefixed =
    sign !== undefined || (itemAt(items, at).k === "fiat" && itemAt(items, at + 1).read !== null);
  const from = prefixed ? at + 1 : at;
  const raw = rawAt(items, from);
  if (raw === null) return null;
  const currency = sign ?? (prefixed ? (itemAt(items, at).v as "USD") : null);
  const unit: Unit = prefixed
    ? { unit: "fiat", currency, factor: 1n, next: raw.next }
    : unitAt(items, raw.next);
  // "$500 USD" says the same twice.
  const twice = prefixed && itemAt(items, unit.next).k === "fiat" ? unit.next + 1 : unit.next;
  const last = itemAt(items, twice - 1);
  return {
    n: raw.n,
    others: raw.others,
    unit: unit.unit,
    currency: unit.currency,
    factor: unit.factor,
    start: at,
    next: twice,
    span: [itemAt(items, at).start, last.end],
    m: raw.m,
    absurd: raw.absurd,
  };
};

/** A share in hundredths of a percent, of a figure in percent or basis points. */
export const bpsOf = (figure: Figure): bigint =>
  figure.unit === "bps"
    ? (toWhole(figure.n) ?? 0n)
    : figure.n.scale <= 2
      ? figure.n.digits * 10n ** BigInt(2 - figure.n.scale)
      : figure.n.digits / 10n ** BigInt(figure.n.scale - 2);

/** The same share exactly: 33.333 % is more than 3333 hundredths of a percent. */
export const ratioOf = ({ n, unit }: Figure): Ratio => {
  const hundred = unit === "bps" ? 10_000n : 100n;
  return n.scale >= 0
    ? [n.digits, hundred * 10n ** BigInt(n.scale)]
    : [n.digits * 10n ** BigInt(-n.scale), hundred];
};

export const take = (items: readonly Item[], from: number, to: number, slot: string): void => {
  for (let at = from; at < to; at += 1) {
    const item = items[at];
    if (item !== undefined) item.slot ??= slot;
  }
};

/** "all but 2 COMP": here "but" opens no new sentence. */
export const joinExceptions = (items: readonly Item[]): void => {
  for (const [at, item] of items.entries())
    if (item.k === "but" && itemAt(items, at - 1).k === "all" && itemAt(items, at + 1).k === "num")
      item.k = "except";
};
