/**
 * Numbers as people write them, exactly and with every honest reading: grouping by commas, dots, spaces, underscores and
 * apostrophes; decimal commas; suffixes; exponents; fractions. No JS number ever holds an amount.
 */
import type { Decimal } from "../intent.ts";

/** Part and whole: two thirds is [2, 3]. */
export type Ratio = readonly [part: bigint, whole: bigint];

export type NumberReading = {
  readonly n: Decimal;
  readonly others: readonly Decimal[];
  /** The letter was `m`: million, or minutes where a time is meant. */
  readonly m?: true;
  /** Written with a plus exponent, suffix or grouping; false for plain digits such as `4411`. */
  readonly plain: boolean;
  /** Written as a fraction: "1/2", "½". Of a holding it is a share, and this is what it is exactly. */
  readonly part?: Ratio;
  /** Longer than any amount: kept as a token that no slot can use. */
  readonly absurd?: true;
};

const DIGITS_MAX = 90;

export const decimal = (digits: bigint, scale = 0): Decimal => ({ digits, scale });

const pow10 = (n: number): bigint => 10n ** BigInt(n);

/** The same value with the smallest scale: `1.50` and `1.5` compare equal. Negative scales are kept for whole numbers. */
export const sameDecimal = (a: Decimal, b: Decimal): boolean => {
  const scale = Math.max(a.scale, b.scale);
  return a.digits * pow10(scale - a.scale) === b.digits * pow10(scale - b.scale);
};

/** Below, equal or above: -1, 0, 1. */
export const compareDecimals = (a: Decimal, b: Decimal): number => {
  const scale = Math.max(a.scale, b.scale);
  const [left, right] = [a, b].map((n) => n.digits * 10n ** BigInt(Math.min(scale - n.scale, 400)));
  return left === right ? 0 : (left ?? 0n) < (right ?? 0n) ? -1 : 1;
};

export const times = (a: Decimal, b: Decimal): Decimal => ({
  digits: a.digits * b.digits,
  scale: a.scale + b.scale,
});

export const plus = (a: Decimal, b: Decimal): Decimal => {
  const scale = Math.max(a.scale, b.scale);
  return { digits: a.digits * pow10(scale - a.scale) + b.digits * pow10(scale - b.scale), scale };
};

/** Exact where it ends within 18 places, else cut there. */
export const divided = (a: Decimal, by: bigint): Decimal => {
  for (let extra = 0; extra <= 18; extra += 1) {
    const digits = a.digits * pow10(extra);
    if (digits % by === 0n) return { digits: digits / by, scale: a.scale + extra };
  }
  return { digits: (a.digits * pow10(18)) / by, scale: a.scale + 18 };
};

/** A share in hundredths of a percent, rounded down, and what it is exactly where that cuts it short. */
export const toShare = ([part, whole]: Ratio): { readonly bps: bigint; readonly ratio?: Ratio } => {
  const bps = (part * 10_000n) / whole;
  return bps * whole === part * 10_000n ? { bps } : { bps, ratio: [part, whole] };
};

/** A pack writes a share as hundredths of a percent, or as a fraction where those would cut it short. */
export const ratioIn = (v: string): Ratio => {
  const [part = "0", whole = "10000"] = v.split("/");
  return [BigInt(part), BigInt(whole)];
};

/** The whole number it is, or null where it has a fraction or is out of any sensible size. */
export const toWhole = (n: Decimal): bigint | null => {
  if (n.scale <= 0) return -n.scale > 100 ? null : n.digits * pow10(-n.scale);
  const unit = pow10(n.scale);
  return n.digits % unit === 0n ? n.digits / unit : null;
};

const isDigit = (char: string | undefined): boolean => char !== undefined && char >= "0" && char <= "9";

/** "45,0x…": an address behind a comma is none of the number. */
const isHexAt = (text: string, at: number): boolean => text[at] === "0" && /[xX]/.test(text[at + 1] ?? "");

/** Where the run of digits and single separators that starts at `at` ends. */
const runEnd = (text: string, at: number): number => {
  let end = at;
  for (;;) {
    if (isDigit(text[end])) end += 1;
    else if (/[.,_'’]/.test(text[end] ?? "") && isDigit(text[end + 1]) && !isHexAt(text, end + 1)) end += 1;
    else if (isSpaceGroup(text, at, end)) end += 1;
    else return end;
  }
};

/** `1 500`: a space before exactly three digits, after one to three. */
const isSpaceGroup = (text: string, from: number, at: number): boolean => {
  if (!/[ \u00a0\u202f\u2009]/.test(text[at] ?? "")) return false;
  const before = text.slice(Math.max(from, at - 4), at);
  const after = text.slice(at + 1, at + 6);
  return (
    /(^|[ \u00a0\u202f\u2009])[0-9]{1,3}$/.test(before) &&
    !before.startsWith("0") &&
    /^[0-9]{3}(?![0-9_.']?[0-9])/.test(after + (text[at + 6] ?? ""))
  );
};

const plain = (digits: string, fraction = ""): Decimal => ({
  digits: BigInt(digits + fraction),
  scale: fraction.length,
});

const groupsOfThree = (parts: readonly string[]): boolean =>
  parts.length > 1 &&
  /^[1-9][0-9]{0,2}$/.test(parts[0] ?? "") &&
  parts.slice(1).every((part) => part.length === 3);

/** One kind of separator, comma or dot. `decimalMark` is what this language writes before a fraction. */
const oneSeparator = (raw: string, mark: "," | ".", decimalMark: "," | "."): readonly Decimal[] => {
  const parts = raw.split(mark);
  const grouped = groupsOfThree(parts);
  if (parts.length > 2) return grouped ? [plain(parts.join(""))] : [];
  const [whole = "0", fraction = ""] = parts;
  const both = [plain(whole, fraction), plain(whole + fraction)] as const;
  // "1.234" is a fraction; "1.500" and "1.000" are what a person from elsewhere writes for thousands.
  if (mark === decimalMark) return grouped && fraction.endsWith("0") ? both : [both[0]];
  if (mark === ".") return grouped ? [both[1], both[0]] : [both[0]];
  if (grouped) return [both[1]];
  return whole.startsWith("0") ? [both[0]] : both;
};

const bothSeparators = (raw: string, decimalMark: "," | "."): readonly Decimal[] => {
  const last = raw.lastIndexOf(",") > raw.lastIndexOf(".") ? "," : ".";
  const other = last === "," ? "." : ",";
  const whole = raw.slice(0, raw.lastIndexOf(last));
  const fraction = raw.slice(raw.lastIndexOf(last) + 1);
  if (whole.includes(last) || !groupsOfThree(whole.split(other))) return [];
  const read = plain(whole.replaceAll(other, ""), fraction);
  const [lead = "0", ...rest] = whole.split(other);
  // "3.000,00": a fraction is never grouped, so only three places after the comma leave a doubt.
  const sure = last === decimalMark || last === "." || fraction.length !== 3;
  return sure ? [read] : [read, plain(lead, rest.join("") + fraction)];
};

/** Every honest reading of a run of digits and separators, likeliest first; empty: none (`1.2.3`). */
const readDigits = (run: string, decimalMark: "," | "."): readonly Decimal[] => {
  const raw = run.replace(/[_'’ \u00a0\u202f\u2009]/g, "");
  const [comma, dot] = [raw.includes(","), raw.includes(".")];
  if (!comma && !dot) return [plain(raw)];
  if (comma && dot) return bothSeparators(raw, decimalMark);
  return oneSeparator(raw, comma ? "," : ".", decimalMark);
};

const SUFFIX: Readonly<Record<string, number>> = {
  k: 3,
  m: 6,
  mm: 6,
  mn: 6,
  mil: 6,
  mio: 6,
  b: 9,
  bn: 9,
  t: 12,
  tn: 12,
  w: 4,
};

const scaled = (n: Decimal, by: number): Decimal => ({ digits: n.digits, scale: n.scale - by });

const withSuffix = (
  text: string,
  end: number,
  readings: readonly Decimal[],
): { end: number; read: NumberReading } | null => {
  const letters = /^(?:mm|mn|mio|bn|tn|[kKmMbBtT])(?![\p{L}_])/u.exec(text.slice(end, end + 5))?.[0];
  if (letters === undefined) return null;
  const by = SUFFIX[letters.toLowerCase()] ?? 0;
  const [n, ...others] = readings.map((one) => scaled(one, by));
  if (n === undefined) return null;
  const after = end + letters.length;
  // "1k5" can mean 1500 or 1005.
  const tail = /^[0-9]{1,3}(?![0-9.,])/.exec(text.slice(after, after + 5))?.[0];
  if (tail !== undefined && by === 3) {
    const joined = plus(n, { digits: BigInt(tail), scale: tail.length - 3 });
    return { end: after + tail.length, read: { n: joined, others: [plus(n, plain(tail))], plain: false } };
  }
  const m = letters === "m" || letters === "M";
  return { end: after, read: { n, others, plain: false, ...(m ? { m } : {}) } };
};

const FRACTIONS: Readonly<Record<string, Ratio>> = {
  "½": [1n, 2n],
  "¼": [1n, 4n],
  "¾": [3n, 4n],
  "⅓": [1n, 3n],
  "⅔": [2n, 3n],
  "⅕": [1n, 5n],
  "⅛": [1n, 8n],
  "⅒": [1n, 10n],
  "⅖": [2n, 5n],
  "⅜": [3n, 8n],
  "⅗": [3n, 5n],
  "⅘": [4n, 5n],
  "⅙": [1n, 6n],
  "⅚": [5n, 6n],
  "⅝": [5n, 8n],
  "⅞": [7n, 8n],
};

export const fractionAt = (text: string, at: number): Decimal | null => {
  const pair = FRACTIONS[text[at] ?? ""];
  return pair === undefined ? null : valueOf(pair);
};

const valueOf = ([part, whole]: Ratio): Decimal => divided(decimal(part), whole);

const slash = (text: string, end: number, whole: Decimal): { end: number; ratio: Ratio } | null => {
  const found = /^\/([1-9][0-9]{0,3})(?![0-9/.,]*[0-9])/.exec(text.slice(end, end + 8));
  if (found === null || whole.scale !== 0 || whole.digits > 9999n) return null;
  return { end: end + found[0].length, ratio: [whole.digits, BigInt(found[1] ?? "1")] };
};

const mixed = (text: string, end: number, whole: Decimal): { end: number; n: Decimal } | null => {
  const glyph = fractionAt(text, text[end] === " " ? end + 1 : end);
  if (glyph !== null) return { end: end + (text[end] === " " ? 2 : 1), n: plus(whole, glyph) };
  const found = /^ ([1-9])\/([2-9])(?![0-9/])/.exec(text.slice(end, end + 6));
  if (found === null) return null;
  return { end: end + 4, n: plus(whole, divided(decimal(BigInt(found[1] ?? "0")), BigInt(found[2] ?? "1"))) };
};

const exponent = (text: string, end: number): { end: number; by: number } | null => {
  const found = /^[eE]([+-]?[0-9]{1,3})(?![\p{L}0-9])/u.exec(text.slice(end, end + 6));
  if (found === null) return null;
  return { end: end + found[0].length, by: Number(found[1]) };
};

const asPart = (ratio: Ratio): NumberReading => ({
  n: valueOf(ratio),
  others: [],
  plain: false,
  part: ratio,
});

/** "2/3", "2 1/2", "2½". */
const fractional = (
  text: string,
  end: number,
  whole: Decimal,
): { end: number; read: NumberReading } | null => {
  const fraction = slash(text, end, whole);
  if (fraction !== null) return { end: fraction.end, read: asPart(fraction.ratio) };
  const part = mixed(text, end, whole);
  return part === null ? null : { end: part.end, read: { n: part.n, others: [], plain: false } };
};

/** The number that starts at `at` (a digit, a fraction glyph, or a dot before a digit), or null. */
export const lexNumber = (
  text: string,
  at: number,
  decimalMark: "," | ".",
): { readonly end: number; readonly read: NumberReading } | null => {
  const glyph = FRACTIONS[text[at] ?? ""];
  if (glyph !== undefined) return { end: at + 1, read: asPart(glyph) };
  const lead = text[at] === "." && isDigit(text[at + 1]) ? 1 : 0;
  if (!isDigit(text[at + lead])) return null;
  const end = runEnd(text, at + lead);
  const raw = (lead === 1 ? "0." : "") + text.slice(at + lead, end);
  if (raw.length > DIGITS_MAX)
    return { end, read: { n: decimal(0n), others: [], plain: true, absurd: true } };
  const readings = readDigits(raw, decimalMark);
  const first = readings[0];
  if (first === undefined) return { end, read: { n: decimal(0n), others: [], plain: false, absurd: true } };
  const power = exponent(text, end);
  if (power !== null)
    return { end: power.end, read: { n: scaled(first, power.by), others: [], plain: false } };
  return (
    fractional(text, end, first) ??
    withSuffix(text, end, readings) ?? {
      end,
      read: { n: first, others: readings.slice(1), plain: /^[0-9]+$/.test(raw) },
    }
  );
};
