/**
 * Finds words in a language that writes no spaces. The tokens of such a text are single characters; a word is the join of several.
 * The fewest words that cover a run are taken. A character in no word is unread, and so is a word that changes a request wherever the
 * characters of it are together, unless a longer word of the lists holds all of them.
 */
import { isHan } from "../phrases.ts";
import { isValue, type Token } from "./tokens.ts";

export type Words = {
  readonly has: (word: string) => boolean;
  /** Makes what it is near something else than a request. */
  readonly changes: (word: string) => boolean;
  /** A formula that counts only if nothing else is in its part of the sentence: 不要多 before 转 5 ETH is an order. */
  readonly isAlone: (word: string) => boolean;
  /** A word of another script that is a name. */
  readonly isName: (token: Token) => boolean;
  /** Words that a value must follow: 在 Base 上. */
  readonly introduces: ReadonlySet<string>;
  /** Words that belong to the value before them: Base 上. */
  readonly follows: ReadonlySet<string>;
  /** Makes a question of a request a suggestion. */
  readonly suggests: ReadonlySet<string>;
  /** Says where money goes: 给, 转到. */
  readonly directs: (word: string) => boolean;
  /** Names what is paid: 房租, 设计费. */
  readonly labels: (word: string) => boolean;
  /** Networks that have a name of their own in the language. */
  readonly networks: ReadonlyMap<
    string,
    { readonly low: string; readonly chain: number; readonly isGeneral: boolean }
  >;
  /** Words that count coins. */
  readonly counters: ReadonlySet<string>;
  /** How many characters the longest word has. */
  readonly longest: number;
};

type Segmented = { readonly tokens: readonly Token[]; readonly unread: Token | null };

/** A token and the characters that it was read from. */
type Unit = { readonly token: Token; readonly chars: string };
/** From which unit to which. */
type Piece = { readonly from: number; readonly to: number };

export function segment(text: string, tokens: readonly Token[], words: Words): Segmented {
  const found: Token[] = [];
  let unread: Token | null = null;
  for (let at = 0; at < tokens.length;) {
    const run = runAt(text, tokens, at);
    if (run.length === 0) found.push(...tokens.slice(at, at + 1));
    else {
      const isWhole = isFormula(run, tokens, at, words);
      const pieces = isWhole ? [{ from: 0, to: run.length }] : fewest(run, words);
      if (!isWhole) unread ??= findUnread(run, pieces, words);
      found.push(...pieces.map((piece) => join(run, piece, words)));
    }
    at += Math.max(1, run.length);
  }
  const joined = withNetworks(withCounters(found, words), words);
  return { tokens: joined, unread: unread ?? findForeign(joined, words) ?? findOpen(joined, words) };
}

type Read = {
  readonly text: string;
  readonly tokens: readonly Token[];
  /** Another reading takes the token as a term. */
  readonly isTaken: (token: Token) => boolean;
};

/** The first word that changes a request, that no longer word holds and that is no term. Unknown characters are not looked at. */
export function findChange({ text, tokens, isTaken }: Read, words: Words): Token | null {
  for (let at = 0; at < tokens.length;) {
    const run = runAt(text, tokens, at);
    const isWhole = run.length > 0 && isFormula(run, tokens, at, words);
    const pieces = run.length === 0 || isWhole ? [] : fewest(run, words);
    const change = openChanges(run, pieces, words).find((token) => !isTaken(token));
    if (change !== undefined) return change;
    at += Math.max(1, run.length);
  }
  return null;
}

/** A word of another script that is neither in the lists nor a name. */
export const findForeign = (tokens: readonly Token[], words: Words): Token | null =>
  tokens.find(
    (token) =>
      (token.kind === "word" || token.kind === "operator") &&
      !/^[\p{Script=Han}\d]/u.test(token.text) &&
      !words.has(token.low) &&
      !words.isName(token),
  ) ?? null;

/** "Base 主网": a general name after the name of a network says nothing more. */
const withNetworks = (tokens: readonly Token[], { networks }: Words): readonly Token[] =>
  tokens.map((token, at) =>
    tokens[at - 1]?.kind === "chain" && networks.get(token.text)?.isGeneral === true
      ? { ...token, low: token.text, kind: "word", acts: false }
      : token,
  );

const findOpen = (tokens: readonly Token[], { introduces }: Words): Token | null =>
  tokens.find((token, at) => {
    const next = tokens[at + 1];
    return token.kind === "word" && introduces.has(token.low) && (next === undefined || !isValue(next));
  }) ?? null;

/** Characters, numbers and names that are written without a space, up to a mark or a value. */
function runAt(text: string, tokens: readonly Token[], from: number): readonly Unit[] {
  const run: Unit[] = [];
  for (let at = from; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token === undefined || !isJoined(token)) break;
    const chars = written(text, token);
    if (!/^\p{Script=Han}+$/u.test(chars)) break;
    run.push({ token, chars });
  }
  return run;
}

/** A phrase of the tables is split into tokens that all have its place. */
const written = (text: string, token: Token): string => {
  const isSplit = token.kind === "word" || (token.kind === "operator" && token.role !== "time");
  return isSplit && isHan(token.low) && token.low.length === 1
    ? token.low
    : text.slice(token.start, token.end);
};
const isJoined = ({ kind }: Token): boolean =>
  kind === "word" || kind === "operator" || kind === "number" || kind === "asset" || kind === "date";

const wordOf = (run: readonly Unit[], { from, to }: Piece): string =>
  run
    .slice(from, to)
    .map(({ chars }) => chars)
    .join("");

const UNKNOWN = 100;
const costOf = (run: readonly Unit[], piece: Piece, words: Words): number =>
  isWord(run, piece, words) ? 1 : UNKNOWN;

/** A value that was read is a word of its own. */
function isWord(run: readonly Unit[], piece: Piece, words: Words): boolean {
  const kind = run[piece.from]?.token.kind;
  const isAlone = piece.to - piece.from === 1;
  if (isAlone && (kind === "number" || kind === "asset" || kind === "date")) return true;
  const word = wordOf(run, piece);
  return words.has(word) && !words.isAlone(word);
}

/** The longest pieces first, if two ways need the same number of words. */
function fewest(run: readonly Unit[], words: Words): readonly Piece[] {
  const best: { readonly cost: number; readonly to: number }[] = [];
  for (let from = run.length - 1; from >= 0; from -= 1) {
    const ways = endsFrom(run, from, words).map((to) => ({
      to,
      cost: costOf(run, { from, to }, words) + (best[to]?.cost ?? 0),
    }));
    best[from] = ways.reduce((a, b) => (b.cost < a.cost ? b : a));
  }
  return walk(run.length, (from) => best[from]?.to ?? from + 1);
}

/** Where a word that begins here can end, longest first. One unit is always a way. */
const endsFrom = (run: readonly Unit[], from: number, words: Words): readonly number[] =>
  Array.from({ length: Math.min(words.longest, run.length - from) }, (_, index) => from + index + 1)
    .filter((to) => to === from + 1 || isWord(run, { from, to }, words))
    .reverse();

function walk(length: number, next: (from: number) => number): readonly Piece[] {
  const pieces: Piece[] = [];
  for (let from = 0; from < length;) {
    const to = next(from);
    pieces.push({ from, to });
    from = to;
  }
  return pieces;
}

/** The longest word at each place, from the first character on. */
const forward = (run: readonly Unit[], words: Words): readonly Piece[] =>
  walk(run.length, (from) => endsFrom(run, from, words)[0] ?? from + 1);

/** The longest word that ends at each place, from the last character back. */
function backward(run: readonly Unit[], words: Words): readonly Piece[] {
  const pieces: Piece[] = [];
  for (let to = run.length; to > 0;) {
    const starts = Array.from({ length: Math.min(words.longest, to) }, (_, index) => to - index - 1);
    const from = starts.findLast((start) => isWord(run, { from: start, to }, words)) ?? to - 1;
    pieces.unshift({ from, to });
    to = from;
  }
  return pieces;
}

/** An unknown character, or a word that changes the request. */
function findUnread(run: readonly Unit[], pieces: readonly Piece[], words: Words): Token | null {
  const unknown = pieces.find((piece) => !isWord(run, piece, words));
  return unknown === undefined
    ? (openChanges(run, pieces, words)[0] ?? null)
    : (run[unknown.from]?.token ?? null);
}

/** The first characters of words that change the request. They count if any of three ways to read the run has them. */
function openChanges(run: readonly Unit[], pieces: readonly Piece[], words: Words): readonly Token[] {
  if (pieces.length === 0) return [];
  const ways = [pieces, forward(run, words), backward(run, words)];
  return changesIn(run, words)
    .filter((one) => !ways.every((way) => isHeld(run, one, way, words)))
    .flatMap(({ from }) => run[from]?.token ?? []);
}

/** Every place of a word that changes the request. */
const changesIn = (run: readonly Unit[], words: Words): readonly Piece[] =>
  run.flatMap((_, from) =>
    endsFrom(run, from, words)
      .map((to) => ({ from, to }))
      .filter((piece) => words.changes(wordOf(run, piece))),
  );

/** A longer word has all of its characters, and changes nothing itself. */
const isHeld = (run: readonly Unit[], { from, to }: Piece, way: readonly Piece[], words: Words): boolean =>
  way.some(
    (piece) =>
      piece.from <= from &&
      piece.to >= to &&
      piece.to - piece.from > to - from &&
      isWord(run, piece, words) &&
      !words.changes(wordOf(run, piece)),
  );

/** Between two marks. */
function isFormula(run: readonly Unit[], tokens: readonly Token[], at: number, words: Words): boolean {
  const isEdge = (token: Token | undefined): boolean =>
    token === undefined || token.kind === "mark" || token.kind === "break";
  const isFree = isEdge(tokens[at - 1]) && isEdge(tokens[at + run.length]);
  return isFree && words.isAlone(wordOf(run, { from: 0, to: run.length }));
}

function join(run: readonly Unit[], piece: Piece, words: Words): Token {
  const units = run.slice(piece.from, piece.to);
  const [first, last] = [units[0]?.token, units.at(-1)?.token];
  if (first === undefined || last === undefined) throw new Error("a piece has at least one token");
  const low = wordOf(run, piece);
  const place = { text: low, low, start: first.start, end: last.end, first: first.first };
  const network = words.networks.get(low);
  if (network !== undefined) return { ...place, low: network.low, kind: "chain", chain: network.chain };
  if (units.length === 1 && first.kind !== "word" && !words.has(low)) return first;
  // The lists of the language say which words ask, so the tables of the grammar are not needed for it.
  return { ...place, kind: "word", acts: false };
}

/** "0.2个ETH": the word that counts coins belongs to the amount. */
function withCounters(tokens: readonly Token[], { counters }: Words): readonly Token[] {
  const joined: Token[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const [number, counter, asset] = tokens.slice(at, at + 3);
    const isCounted =
      number?.kind === "number" && number.isExact && counter?.kind === "word" && counters.has(counter.low);
    if (isCounted && asset?.kind === "asset") {
      joined.push({ ...number, end: asset.end, kind: "money", asset: asset.asset });
      at += 2;
    } else if (number !== undefined) joined.push(number);
  }
  return joined;
}
