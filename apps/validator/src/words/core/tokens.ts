/**
 * The tokens of a text, each with its value. Every letter and digit of the text belongs to a token. A number is typed by the word it counts: only
 * a number of an asset is money.
 */
import type { Decimal } from "../../intent.ts";
import { figureAt, type Figure } from "../amounts.ts";
import { itemAt, type Item } from "../items.ts";
import type { Lexicon } from "../lexicon.ts";
import { sameDecimal } from "../numbers.ts";

type Place = {
  readonly text: string;
  readonly low: string;
  readonly start: number;
  readonly end: number;
  /** First in its sentence or line. */
  readonly first: boolean;
};

export type Token = Place &
  (
    | { readonly kind: "money"; readonly amount: Decimal; readonly asset: string }
    | { readonly kind: "asset"; readonly asset: string }
    | { readonly kind: "address"; readonly address: string }
    | { readonly kind: "chain"; readonly chain: number }
    | { readonly kind: "venue"; readonly venue: string }
    | { readonly kind: "rate"; readonly amount: Decimal }
    /** A number of anything else, or of nothing. */
    | { readonly kind: "number"; readonly amount: Decimal; readonly isExact: boolean }
    | { readonly kind: "date" }
    /** The number of a document: "INV-8841", "88-C". */
    | { readonly kind: "id" }
    /** A value that only another reading can compare: an ENS name, a collection, an ambiguous number. */
    | { readonly kind: "other" }
    /** A word that the tables of the grammar know as an operator, by its kind there: `neg`, `cond`, `each`, … */
    | { readonly kind: "operator"; readonly role: string }
    /** `acts`: the tables of the grammar know it as a verb that asks for something. */
    | { readonly kind: "word"; readonly acts: boolean }
    | { readonly kind: "mark" }
    | { readonly kind: "break" }
  );

export type Money = Extract<Token, { kind: "money" }>;

/** A value that a request names. */
export const isValue = ({ kind }: Token): boolean =>
  kind === "money" || kind === "asset" || kind === "address" || kind === "chain" || kind === "venue";

/** Kinds of the tables that limit, deny, share or defer whatever they stand next to. */
const OPERATORS = new Set(
  "neg cond until within later bound after except correct each evenly all share unlimited keep vague percent bps slippage partial wei gaslimit cross".split(
    " ",
  ),
);

const ENDS = new Set("stop line end".split(" "));

const place = (first: Item, last: Item): Place => ({
  text: first.text,
  low: first.low,
  start: first.start,
  end: last.end,
  first: first.first,
});

/** Null if the text has something that no token holds: an ambiguous number, an ENS name, or a quotation, which the items leave out. */
export function tokensOf(text: string, items: readonly Item[], lexicon: Lexicon): readonly Token[] | null {
  const tokens = tokensAround(items, lexicon);
  return isCovered(text, tokens) && !tokens.some(({ kind }) => kind === "other") ? tokens : null;
}

/** The tokens of a text whose values another reading compares. */
export function tokensAround(items: readonly Item[], lexicon: Lexicon): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < items.length;) {
    const item = itemAt(items, at);
    const other = { tokens: [{ ...place(item, item), kind: "other" as const }], length: 1 };
    const taken = takeId(items, at) ?? takeValue(items, at, lexicon) ?? takeWords(item) ?? other;
    tokens.push(...taken.tokens);
    at += taken.length;
  }
  return tokens;
}

/** The articles of "l'ETH" and "d'USDC" may be left out. */
function isCovered(text: string, tokens: readonly Token[]): boolean {
  let rest = "";
  let end = 0;
  for (const token of [...tokens].sort((a, b) => a.start - b.start)) {
    rest += ` ${text.slice(end, token.start)}`;
    end = Math.max(end, token.end);
  }
  return !/[\p{L}\p{N}]/u.test(`${rest} ${text.slice(end)}`.replace(/(?<![\p{L}\p{N}])[ld]['’]/giu, ""));
}

const CODE = /^(?:[A-Z][A-Z0-9]{0,7}|[0-9]{1,8})$/;
const ID_PARTS_MAX = 7;

/** "TRS-2291", "88-C", "EC-2025-31": letters in capitals and digits, joined by hyphens. */
function takeId(items: readonly Item[], at: number): Taken | null {
  const first = itemAt(items, at);
  if (!CODE.test(first.text)) return null;
  let end = at + 1;
  const isJoined = (index: number): boolean =>
    itemAt(items, index).low === "-" &&
    itemAt(items, index).start === itemAt(items, index - 1).end &&
    itemAt(items, index + 1).start === itemAt(items, index).end &&
    CODE.test(itemAt(items, index + 1).text);
  while (end < at + ID_PARTS_MAX && isJoined(end)) end += 2;
  const last = itemAt(items, end - 1);
  const parts = items.slice(at, end).filter(({ low }) => low !== "-");
  const isId =
    parts.length > 1 &&
    parts.some(({ text }) => /[0-9]/.test(text)) &&
    parts.some(({ text }) => /[A-Z]/.test(text));
  return isId ? { tokens: [{ ...place(first, last), kind: "id" }], length: end - at } : null;
}

type Taken = { readonly tokens: readonly Token[]; readonly length: number };

function takeValue(items: readonly Item[], at: number, lexicon: Lexicon): Taken | null | undefined {
  const item = itemAt(items, at);
  const one = (token: Token): Taken => ({ tokens: [token], length: 1 });
  if (item.k === "asset" && isNetwork(items, at))
    return one({ ...place(item, item), low: "ethereum", kind: "chain", chain: 1 });
  if (item.k === "asset") return takeAsset(items, at);
  if (item.k === "addr") return one({ ...place(item, item), kind: "address", address: item.v.toLowerCase() });
  if (item.k === "chain") {
    const chain = lexicon.chainNamed(item.v)?.id;
    return chain === undefined ? null : one({ ...place(item, item), kind: "chain", chain });
  }
  if (item.k === "venue") return one({ ...place(item, item), kind: "venue", venue: item.v });
  if (item.k === "date") return one({ ...place(item, item), kind: "date" });
  return takeFigure(items, at);
}

/** "640 USDT on eth" */
const isNetwork = (items: readonly Item[], at: number): boolean =>
  itemAt(items, at).low === "eth" && itemAt(items, at - 1).low === "on" && figureAt(items, at + 1) === null;

/** "450 USDC", and "USDC 450" if no other asset follows the number. */
function takeAsset(items: readonly Item[], at: number): Taken | null {
  const item = itemAt(items, at);
  const asset: Token = { ...place(item, item), kind: "asset", asset: item.v };
  const figure = figureAt(items, at + 1);
  if (figure?.unit !== "none" || itemAt(items, figure.next).k === "asset")
    return { tokens: [asset], length: 1 };
  if (!isExact(figure)) return null;
  const last = itemAt(items, figure.next - 1);
  return {
    tokens: [{ ...place(item, last), kind: "money", amount: figure.n, asset: item.v }],
    length: figure.next - at,
  };
}

/** "eighty (80) USDC", "8, 8 USDC": the same figure twice. */
function restatedAt(items: readonly Item[], at: number): Figure | null {
  const figure = figureAt(items, at);
  if (figure === null) return null;
  const opens = itemAt(items, figure.next).low;
  const again = opens === "(" || opens === "," ? figureAt(items, figure.next + 1) : null;
  if (again === null || !isSame(figure, again)) return figure;
  const closes = opens === "(" ? 1 : 0;
  const isClosed = closes === 0 || itemAt(items, again.next).low === ")";
  const next = again.next + closes;
  return isClosed && itemAt(items, next).k === "asset" ? { ...again, next } : figure;
}

const isSame = (one: Figure, other: Figure): boolean =>
  one.unit === "none" &&
  other.unit === "none" &&
  isExact(one) &&
  isExact(other) &&
  sameDecimal(one.n, other.n);

function takeFigure(items: readonly Item[], at: number): Taken | null | undefined {
  const figure = restatedAt(items, at);
  if (figure === null) return undefined;
  const [first, last, next] = [itemAt(items, at), itemAt(items, figure.next - 1), itemAt(items, figure.next)];
  const here = place(first, last);
  const length = figure.next - at;
  if (figure.unit === "percent" || figure.unit === "bps")
    return { tokens: [{ ...here, kind: "rate", amount: figure.n }], length };
  if (figure.unit === "time") return { tokens: [{ ...here, kind: "operator", role: "time" }], length };
  if (figure.unit !== "none") return { tokens: [{ ...here, kind: "operator", role: figure.unit }], length };
  if (next.k !== "asset")
    return { tokens: [{ ...here, kind: "number", amount: figure.n, isExact: isExact(figure) }], length };
  if (!isExact(figure)) return null;
  return {
    tokens: [{ ...place(first, next), kind: "money", amount: figure.n, asset: next.v }],
    length: length + 1,
  };
}

const isExact = (figure: {
  readonly others: readonly Decimal[];
  readonly absurd: boolean;
  readonly m: boolean;
}) => figure.others.length === 0 && !figure.absurd && !figure.m;

/** Light verbs ("get", "need", "give") ask for something only together with an object. */
const asks = ({ k, mark }: Item): boolean =>
  k === "verb" &&
  mark !== null &&
  mark.acts.length > 0 &&
  !mark.flags.some((flag) => flag === "light" || flag === "want");

/** A phrase of the tables is split into its words: what they mean depends on the place. */
function takeWords(item: Item): Taken | null {
  const here = place(item, item);
  if (ENDS.has(item.k)) return { tokens: [{ ...here, kind: "break" }], length: 1 };
  if (item.k === "punct") return { tokens: [{ ...here, kind: "mark" }], length: 1 };
  // "hex": a part of an address; "name": an ENS name. Neither is a value that can be compared here.
  if (item.k === "hex" || item.k === "name" || item.k === "collection") return null;
  const role = OPERATORS.has(item.k) && !(item.k === "bound" && item.v === "exact") ? item.k : null;
  const words = item.low.split(/ |(?<=\p{Script=Han})(?=.)/u);
  const tokens = words.map((low, index): Token => {
    const word = { ...here, text: words.length === 1 ? item.text : low, low };
    if (/^[:=：]$/u.test(low)) return { ...word, kind: "mark" };
    const acts = index === 0 && asks(item);
    return role === null ? { ...word, kind: "word", acts } : { ...word, kind: "operator", role };
  });
  return { tokens, length: 1 };
}
