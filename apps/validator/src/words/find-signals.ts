/** Finds phrases that may take a request back or leave it open, and that no slot of the request uses. */
import type { HardToken, Span } from "../intent.ts";
import { signals } from "./languages/signals.ts";
import type { Item } from "./items.ts";
import { fold } from "./phrases.ts";

type Word = { readonly low: string; readonly start: number; readonly end: number };
type Phrases = ReadonlyMap<string, readonly (readonly string[])[]>;

/** Latin words, and each Chinese character on its own. */
const PIECES = /\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{N}'’])+/gu;

const piecesOf = (text: string): readonly Word[] =>
  [...text.matchAll(PIECES)].map(({ 0: word, index }) => ({
    low: fold(word),
    start: index,
    end: index + word.length,
  }));

const tableOf = (list: string): Phrases => {
  const table = new Map<string, (readonly string[])[]>();
  for (const phrase of list.split(",")) {
    const words = piecesOf(phrase).map(({ low }) => low);
    const [first] = words;
    if (first !== undefined) table.set(first, [...(table.get(first) ?? []), words]);
  }
  return table;
};

const tables: Readonly<Record<string, Phrases>> = Object.fromEntries(
  Object.entries(signals).map(([language, list]) => [language, tableOf(list)]),
);

/** Items of these kinds are read as terms of the request, and compared or reported as unread on their own. */
const USED = new Set(
  "then bound after partial slippage within until cond key fee share all num each contact".split(" "),
);

/** One phrase is enough to leave a text unread; more only cost time. */
const FOUND_MAX = 8;

/** `clean` is the text as a person sees it; `at` maps its positions to the original text. */
export type Seen = { readonly clean: string; readonly at: readonly number[] };

/** Languages whose phrases count: people mix in English, and a short text in Spanish and one in Portuguese look alike. */
const heard: Readonly<Record<string, readonly string[]>> = {
  en: ["en"],
  es: ["es", "pt", "en"],
  pt: ["pt", "es", "en"],
  fr: ["fr", "en"],
  de: ["de", "en"],
  zh: ["zh", "en"],
};

export function findSignals(seen: Seen, items: readonly Item[], language: string): readonly HardToken[] {
  const words = piecesOf(seen.clean);
  const lists = (heard[language] ?? Object.keys(tables)).map((one) => tables[one]);
  const found = [...patterns(seen)];
  for (let index = 0; index < words.length && found.length < FOUND_MAX; index += 1) {
    const token = signalAt(words, index, lists, seen);
    if (token !== null && !isUsed(items, token.span)) found.push(token);
  }
  return found;
}

function signalAt(
  words: readonly Word[],
  index: number,
  lists: readonly (Phrases | undefined)[],
  seen: Seen,
): HardToken | null {
  const word = words[index];
  if (word === undefined) return null;
  const matches = (phrase: readonly string[]): boolean =>
    phrase.every((low, offset) => words[index + offset]?.low === low);
  const phrase = lists.flatMap((list) => list?.get(word.low) ?? []).find(matches);
  const last = phrase === undefined ? undefined : words[index + phrase.length - 1];
  return last === undefined ? null : tokenAt(seen, word.start, last.end);
}

export const tokenAt = ({ clean, at }: Seen, start: number, end: number): HardToken => ({
  kind: "condition",
  text: clean.slice(start, end).trim(),
  span: [at[start] ?? 0, at[end] ?? at.at(-1) ?? 0],
  slot: null,
});

/** "any of my accounts but …" makes an exception, and "2 ETH, sorry, 0.2 ETH" a correction. */
const PATTERNS = /\bany(?:thing|one|where)?\b[^.!?\n]{0,60}?\bbut\b|(?<=\d[^.!?\n]{0,40})\bsorry\b/giu;

const patterns = (seen: Seen): readonly HardToken[] =>
  [...seen.clean.matchAll(PATTERNS)].map(({ 0: text, index }) => tokenAt(seen, index, index + text.length));

const isUsed = (items: readonly Item[], [start, end]: Span): boolean =>
  items.some((item) => item.start <= start && item.end >= end && USED.has(item.k));
