/** Pieces with their meaning: phrases found, symbols known, venues and chains named. Each remembers which slot took it. */
import type { HardToken } from "../intent.ts";
import type { LexOptions, Piece } from "./lex.ts";
import type { Lexicon } from "./lexicon.ts";
import type { NumberReading } from "./numbers.ts";
import { isHan, longest, type Mark, type Table } from "./phrases.ts";

export type Item = {
  /** Kind of the mark, or `num`, `addr`, `hex`, `name`, `asset`, `venue`, `chain`, `id`, `word`, `punct`, `stop`, `key`. */
  k: string;
  v: string;
  readonly text: string;
  readonly low: string;
  readonly start: number;
  readonly end: number;
  readonly mark: Mark | null;
  readonly read: NumberReading | null;
  readonly possessive: boolean;
  readonly tight: boolean;
  /** The same word also names a token: "AAVE", "OP". Set next to a venue, chain or ordinary word. */
  readonly symbol: string | null;
  /** Which slot took it; null so far. */
  slot: string | null;
  /** Taken before the grammar runs (a note, a slippage, a negation): the grammar steps over it. */
  skip: boolean;
  /** First on its line or sentence. */
  readonly first: boolean;
};

const END: Item = {
  k: "end",
  v: "",
  text: "",
  low: "",
  start: 0,
  end: 0,
  mark: null,
  read: null,
  possessive: false,
  tight: false,
  symbol: null,
  slot: null,
  skip: false,
  first: false,
};

/** The item at a place, or one of kind `end` beyond either side: the grammar looks ahead and back without asking first. */
export const itemAt = (items: readonly Item[], at: number): Item => items[at] ?? { ...END };

/** Whether an item is of one of these kinds. */
export const isOne = (item: Item | undefined, kinds: ReadonlySet<string>): boolean =>
  item !== undefined && kinds.has(item.k);

/** A set of kinds, written with commas. */
export const kinds = (list: string): ReadonlySet<string> => new Set(list.split(","));

/** Whether an item is a preposition of one of these roles. */
export const isPrep = (item: Item, roles: RegExp): boolean => item.k === "prep" && roles.test(item.v);

const HARD: Readonly<Record<string, HardToken["kind"]>> = {
  num: "number",
  id: "number",
  addr: "address",
  hex: "address",
  name: "name",
  asset: "asset",
  venue: "venue",
  chain: "chain",
  bound: "bound",
  after: "bound",
  neg: "negation",
  cond: "condition",
  verb: "verb",
  within: "time",
  until: "time",
  later: "time",
  date: "time",
  all: "number",
  share: "number",
  unlimited: "bound",
  vague: "number",
};

export const hardKind = (item: Item): HardToken["kind"] | null =>
  item.k === "verb" && (item.mark?.acts.length ?? 0) === 0 ? null : (HARD[item.k] ?? null);

/** Small words of the grammar: never a token's symbol, whatever tokens exist. */
const FUNCTION_WORDS = new Set(
  "prep,and,then,cond,neg,my,self,noise,pronoun,but,purpose,bound,after,num,scale,unit,each,within,until,all,balance,worth,fiat,class,percent,share,correct,evenly,vague".split(
    ",",
  ),
);

type Maker = {
  readonly pieces: readonly Piece[];
  readonly table: Table;
  readonly lexicon: Lexicon;
  /** Most letters are capitals: capitals then prove nothing. */
  readonly shouting: boolean;
};

const isCapitals = (text: string): boolean =>
  text.length >= 2 && /[A-Z]/.test(text) && text === text.toUpperCase();

const base = (piece: Piece, last: Piece, first: boolean): Item => ({
  k: "word",
  v: "",
  text: piece.text,
  low: piece.low,
  start: piece.start,
  end: last.end,
  mark: null,
  read: piece.read ?? null,
  possessive: last.possessive === true,
  tight: piece.tight,
  symbol: null,
  slot: null,
  skip: false,
  first,
});

const afterNumber = (pieces: readonly Piece[], at: number): boolean => {
  const before = pieces[at - 1];
  return before?.t === "num" || (before?.low === "of" && pieces[at - 2]?.t === "num") || before?.text === "%";
};

/** The symbol a word names here, or null. */
const isPlace = (mark: Mark | null): boolean => mark === null || mark.k === "venue" || mark.k === "chain";

/** A symbol everybody knows, and no ordinary word: it counts in small letters too. */
const isKnownSymbol = (lexicon: Lexicon, text: string): boolean =>
  !lexicon.isEnglish(text) && lexicon.isCommon?.(text) !== false;

const isSure = (maker: Maker, at: number, text: string, mark: Mark | null): boolean => {
  const capitals = isCapitals(text) && !maker.shouting;
  const numbered = afterNumber(maker.pieces, at);
  if (isPlace(mark)) return capitals || numbered || (text.length > 1 && isKnownSymbol(maker.lexicon, text));
  const kind = mark?.k ?? "";
  return capitals && !FUNCTION_WORDS.has(kind) && (numbered || kind !== "verb");
};

const symbolAt = (maker: Maker, at: number, mark: Mark | null): string | null => {
  const piece = maker.pieces[at];
  if (piece?.t !== "word") return null;
  const { text } = piece;
  if (text.startsWith("$") && text.length > 1) return text.slice(1).toUpperCase();
  return maker.lexicon.isSymbol(text) && isSure(maker, at, text, mark) ? text.toUpperCase() : null;
};

/** `USDC.e`: the lexer ends a word at a dot, so the two halves are put together where the whole is a symbol. */
const dotted = (maker: Maker, at: number): string | null => {
  const [a, dot, b] = [maker.pieces[at], maker.pieces[at + 1], maker.pieces[at + 2]];
  if (a?.t !== "word" || dot?.text !== "." || b?.t !== "word" || !dot.tight || !b.tight) return null;
  const whole = `${a.text}.${b.text}`;
  return b.text.length <= 3 && maker.lexicon.isSymbol(whole) ? whole.toUpperCase() : null;
};

const isNoun = (maker: Maker, text: string): boolean =>
  text.startsWith("$") || (maker.lexicon.isSymbol(text) && isKnownSymbol(maker.lexicon, text));

const ordinary = (maker: Maker, piece: Piece, at: number, first: boolean): { item: Item; next: number } => {
  const item = base(piece, piece, first);
  const whole = dotted(maker, at);
  if (whole !== null) {
    const last = maker.pieces[at + 2] ?? piece;
    return { item: { ...item, k: "asset", v: whole, end: last.end }, next: at + 3 };
  }
  // "pop 0.5 WETH into Aave": what opens a sentence right before a number is no asset unless it is written like one.
  if (first && maker.pieces[at + 1]?.t === "num" && !isCapitals(piece.text) && !isNoun(maker, piece.text))
    return { item, next: at + 1 };
  const symbol = symbolAt(maker, at, null);
  if (symbol !== null) return { item: { ...item, k: "asset", v: symbol, symbol }, next: at + 1 };
  // An ordinary word that some token also bears: an asset only where the grammar expects one.
  const maybe = maker.lexicon.isSymbol(piece.text) ? piece.text.toUpperCase() : null;
  return { item: { ...item, symbol: maybe }, next: at + 1 };
};

const wordAt =
  (maker: Maker) =>
  (at: number): string | undefined => {
    const piece = maker.pieces[at];
    if (
      piece === undefined ||
      piece.t === "line" ||
      piece.t === "quote" ||
      piece.t === "addr" ||
      piece.t === "hex"
    )
      return undefined;
    return piece.low;
  };

const keyAt = (maker: Maker, at: number): { mark: Mark; length: number } | null => {
  const found = longest(maker.table.keys, wordAt(maker), at);
  if (found === null) return null;
  const after = maker.pieces[at + found.length];
  return after?.text === ":" || after?.text === "=" ? { mark: found.mark, length: found.length + 1 } : null;
};

/** A wrapped token's contract is where it is wrapped, and still what people mean by its name is the token. */
const WRAPPERS = /^W(?:ETH|BTC|STETH|POL|BNB|AVAX|XDAI|MATIC)$/;

/** "permit Uniswap 2 WETH": a number with a token behind it is an amount, not the version of the name before it. */
const phraseAt = (maker: Maker, at: number): { mark: Mark; length: number } | null => {
  const word = wordAt(maker);
  const found = longest(maker.table.phrases, word, at);
  if (found?.mark.k !== "venue" || found.length < 2) return found;
  const end = at + found.length - 1;
  const counts = maker.pieces[end]?.t === "num" && isCounted(maker, end + 1);
  return counts ? longest(maker.table.phrases, (next) => (next < end ? word(next) : undefined), at) : found;
};

const isCounted = (maker: Maker, at: number): boolean => {
  const piece = maker.pieces[at];
  return piece?.t === "word" && symbolAt(maker, at, null) !== null;
};

const STOPS = new Set([".", "!", "?", ";"]);

const markedAt = (maker: Maker, at: number, first: boolean): { item: Item; next: number } | null => {
  const key = keyAt(maker, at);
  const found = key ?? phraseAt(maker, at);
  const piece = maker.pieces[at];
  if (found === null || piece === undefined) return null;
  const last = maker.pieces[at + found.length - 1] ?? piece;
  const symbol = found.length === 1 ? symbolAt(maker, at, found.mark) : null;
  const { k, v } = found.mark;
  const item = {
    ...base(piece, last, first),
    mark: found.mark,
    symbol,
    low: wordsOf(maker, at, found.length),
    ...(k === "collection" ? { text: writtenOf(maker, at, found.length) } : {}),
  };
  const asAsset = symbol !== null && ((k !== "venue" && k !== "chain") || WRAPPERS.test(symbol));
  return { item: asAsset ? { ...item, k: "asset", v: symbol } : { ...item, k, v }, next: at + found.length };
};

const wordsOf = (maker: Maker, at: number, length: number): string =>
  maker.pieces
    .slice(at, at + length)
    .map((piece) => piece.low)
    .join(" ");

const writtenOf = (maker: Maker, at: number, length: number): string =>
  maker.pieces
    .slice(at, at + length)
    .map((piece) => piece.text)
    .join(" ");

/** A quotation is opaque, unless it is plainly one symbol, address, number or verb. */
const quoted = (
  maker: Maker,
  piece: Piece,
  options: LexOptions,
  relex: (text: string, options: LexOptions) => Piece[],
): Piece[] => {
  const inner = relex(piece.text.trim(), options);
  if (inner.length === 0 || inner.length > 3) return [];
  const shift = piece.start + 1 + (piece.text.length - piece.text.trimStart().length);
  const placed = inner.map((one) => ({ ...one, start: one.start + shift, end: one.end + shift }));
  const plainly = placed.every(
    (one) =>
      ["num", "addr", "hex", "name"].includes(one.t) ||
      one.text === "%" ||
      (one.t === "word" &&
        (maker.lexicon.isSymbol(one.text) ||
          maker.table.phrases.has(one.low) ||
          maker.table.keys.has(one.low))),
  );
  return plainly ? placed : [];
};

const isShouting = (pieces: readonly Piece[]): boolean => {
  const words = pieces.filter((piece) => piece.t === "word" && piece.text.length > 1);
  const capitals = words.filter((piece) => isCapitals(piece.text));
  return words.length > 3 && capitals.length * 10 > words.length * 7;
};

const single = (maker: Maker, piece: Piece, at: number, first: boolean): { item: Item; next: number } => {
  const item = base(piece, piece, first);
  if (piece.t === "line") return { item: { ...item, k: "line" }, next: at + 1 };
  if (piece.t === "num") return { item: { ...item, k: "num" }, next: at + 1 };
  if (piece.t === "addr" || piece.t === "hex" || piece.t === "name") {
    return { item: { ...item, k: piece.t, v: piece.text }, next: at + 1 };
  }
  if (piece.t === "mark")
    return { item: { ...item, k: STOPS.has(piece.text) ? "stop" : "punct", v: piece.text }, next: at + 1 };
  return ordinary(maker, piece, at, first);
};

/** Whether a full stop ends a sentence here, and not an abbreviation or a list marker. */
const opensLine = (items: readonly Item[]): boolean => {
  const before = items.at(-1);
  return (
    before === undefined ||
    before.k === "line" ||
    before.k === "stop" ||
    (before.k === "punct" &&
      /^[-*•([{]$/.test(before.v) &&
      (items.at(-2) === undefined || items.at(-2)?.k === "line"))
  );
};

const COUNTED = new Set("asset,scale,andhalf,num,fiat,unit,wei,class,punct,venue,chain,percent".split(","));

/** "one", "un", "ein" before an ordinary word is an article, not an amount. */
const isArticle = (item: Item, next: Item | undefined): boolean =>
  item.k === "num" &&
  item.read === null &&
  item.v === "1" &&
  (next === undefined || !COUNTED.has(next.k) || (next.k === "punct" && !/^[($€£%]$/.test(next.v)));

/** "first …, second …": behind a pause it counts steps, not time. */
const PAUSES = new Set("punct,stop,line,and,then".split(","));

/** The meaning of an ambiguous small word by its neighbours: "min" without a number before it is a bound, "s" a letter. */
const settled = (item: Item, before: Item | undefined, next: Item | undefined): Item => {
  if (isArticle(item, next)) return { ...item, k: "noise" };
  // "No envíe 5 USDC": before a verb it refuses, whichever language it was taken for.
  if (item.k === "prep" && item.low === "no" && next?.k === "verb") return { ...item, k: "neg" };
  if (item.k !== "unit" || before?.k === "num" || before?.k === "scale") return item;
  return lonelyUnit(item, before);
};

const lonelyUnit = (item: Item, before: Item | undefined): Item => {
  if (item.low === "second" && PAUSES.has(before?.k ?? "line")) return { ...item, k: "then" };
  if (item.low === "min" || item.low === "mins") return { ...item, k: "bound", v: "least" };
  return item.low.length === 1 && !isHan(item.low) ? { ...item, k: "word" } : item;
};

export const toItems = (
  text: string,
  tools: {
    table: Table;
    lexicon: Lexicon;
    options: LexOptions;
    lex: (text: string, options: LexOptions) => Piece[];
  },
): Item[] => {
  const raw = tools.lex(text, tools.options);
  const maker: Maker = { pieces: raw, table: tools.table, lexicon: tools.lexicon, shouting: isShouting(raw) };
  const pieces = raw.flatMap((piece) =>
    piece.t === "quote" ? quoted(maker, piece, tools.options, tools.lex) : [piece],
  );
  const real: Maker = { ...maker, pieces };
  const items: Item[] = [];
  let at = 0;
  for (let piece = pieces[at]; piece !== undefined; piece = pieces[at]) {
    const first = opensLine(items);
    const made = markedAt(real, at, first) ?? single(real, piece, at, first);
    items.push(made.item);
    at = made.next;
  }
  return items.map((item, index) => settled(item, items[index - 1], items[index + 1]));
};
