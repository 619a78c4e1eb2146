/**
 * The meanings that words can have to the reader, and the table that finds the longest phrase at a place. A language
 * pack is data: each line has a kind, a value and its phrases. Matching ignores case and accents.
 */
import { acts, type Act } from "../intent.ts";

/** The meaning of one phrase. `v` depends on `k`: a preposition's role, a number, seconds of a unit, a symbol. */
export type Mark = {
  readonly k: string;
  readonly v: string;
  readonly acts: readonly Act[];
  readonly flags: readonly string[];
};

/** Keys are `kind:value` or `kind+flag+flag:value`; values are phrases separated by commas. */
export type Pack = {
  readonly id: string;
  readonly marks: Readonly<Record<string, string>>;
  /** Names of fields in `key: value` requests, by role. They count only before a colon or an equals sign. */
  readonly keys: Readonly<Record<string, string>>;
  /** Frequent small words, for telling the language. */
  readonly stop: string;
};

/** `text`: its words with a space between them. */
type Phrase = { readonly words: readonly string[]; readonly text: string; readonly mark: Mark };
export type Table = {
  readonly phrases: ReadonlyMap<string, readonly Phrase[]>;
  readonly keys: ReadonlyMap<string, readonly Phrase[]>;
  /** Verbs of one word by each way of leaving one letter out, to find misspelt ones without a search. */
  readonly near: ReadonlyMap<string, readonly string[]>;
};

const isAct = (word: string): word is Act => (acts as readonly string[]).includes(word);

/** Lower case, no accents, straight apostrophes: how phrases are compared. */
export const fold = (word: string): string =>
  /^[\0-\x7f]*$/.test(word)
    ? word.toLowerCase()
    : word.normalize("NFD").replace(/\p{M}/gu, "").replaceAll("’", "'").toLowerCase().replaceAll("ß", "ss");

const HAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
export const isHan = (char: string): boolean => HAN.test(char);

/** A phrase in the pieces of the lexer: words, and single Chinese characters. */
const pieces = (phrase: string): string[] =>
  /^[\0-\x7f]*$/.test(phrase) ? asciiPieces(phrase) : widePieces(phrase);

/** Nearly all phrases, at a fraction of the cost: the tables of six languages are made before the first request. */
const asciiPieces = (phrase: string): string[] =>
  phrase
    .toLowerCase()
    .split(/\s+|(?<=[a-z])-(?=[a-z])/)
    .filter((part) => part !== "");

const widePieces = (phrase: string): string[] =>
  fold(phrase)
    .split(/\s+|(?<=\p{L})-(?=\p{L})/u)
    .flatMap(
      (part) =>
        part.match(
          /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu,
        ) ?? [],
    );

const markOf = (key: string): Mark => {
  const colon = key.indexOf(":");
  const v = key.slice(colon + 1);
  const [k = "", ...flags] = key.slice(0, colon).split("+");
  return { k, v, flags, acts: k === "verb" ? v.split("|").filter(isAct) : [] };
};

const put = (into: Map<string, Phrase[]>, words: readonly string[], mark: Mark): void => {
  const first = words[0];
  if (first === undefined) return;
  const list = into.get(first) ?? [];
  const text = words.join(" ");
  const same = list.findIndex((one) => one.text === text);
  if (same >= 0) list.splice(same, 1);
  list.push({ words, text, mark });
  into.set(first, list);
};

/** A name of a venue or chain wins over an ordinary word of the same spelling; its place decides later. */
const addMarks = (into: Map<string, Phrase[]>, marks: Pack["marks"], named: ReadonlySet<string>): void => {
  for (const [key, phrases] of Object.entries(marks)) {
    const mark = markOf(key);
    for (const phrase of phrases.split(",")) {
      const words = pieces(phrase.trim());
      if (!named.has(words.join(" "))) put(into, words, mark);
    }
  }
};

const addKeys = (into: Map<string, Phrase[]>, keys: Pack["keys"]): void => {
  for (const [key, phrases] of Object.entries(keys)) {
    const mark = { k: "key", v: key, acts: [], flags: [] };
    for (const phrase of phrases.split(",")) put(into, pieces(phrase.trim()), mark);
  }
};

const byLength = (into: Map<string, Phrase[]>): Map<string, Phrase[]> => {
  for (const list of into.values()) list.sort((a, b) => b.words.length - a.words.length);
  return into;
};

/** The word and each way of leaving one of its letters out. */
export const shortened = (word: string): string[] => {
  const out = [word];
  for (let at = 0; at < word.length; at += 1) out.push(word.slice(0, at) + word.slice(at + 1));
  return out;
};

const nearVerbs = (phrases: Map<string, Phrase[]>): Map<string, string[]> => {
  const near = new Map<string, string[]>();
  for (const [first, list] of phrases) {
    if (first.length < 4 || !list.some((one) => one.words.length === 1 && one.mark.k === "verb")) continue;
    for (const form of shortened(first)) {
      const found = near.get(form);
      if (found === undefined) near.set(form, [first]);
      else found.push(first);
    }
  }
  return near;
};

/** Later packs and later names win over earlier ones for the same phrase. */
export const makeTable = (
  packs: readonly Pack[],
  names: readonly { readonly phrase: string; readonly k: string; readonly v: string }[],
): Table => {
  const phrases = new Map<string, Phrase[]>();
  const keys = new Map<string, Phrase[]>();
  const named = new Set<string>();
  for (const { phrase, k, v } of names) {
    const words = pieces(phrase);
    put(phrases, words, { k, v, acts: [], flags: [] });
    named.add(words.join(" "));
  }
  for (const pack of packs) {
    addMarks(phrases, pack.marks, named);
    addKeys(keys, pack.keys);
  }
  byLength(keys);
  return { phrases: byLength(phrases), keys, near: nearVerbs(phrases) };
};

/** The longest phrase that starts at `at`, or null. `word` gives the folded word at an index, or undefined past a break. */
export const longest = (
  list: ReadonlyMap<string, readonly Phrase[]>,
  word: (at: number) => string | undefined,
  at: number,
): { readonly mark: Mark; readonly length: number } | null => {
  const first = word(at);
  if (first === undefined) return null;
  const found = list.get(first);
  if (found === undefined) return null;
  for (const { words, mark } of found) {
    let offset = 1;
    while (offset < words.length && word(at + offset) === words[offset]) offset += 1;
    if (offset === words.length) return { mark, length: offset };
  }
  return null;
};

/** Whether two words differ by one letter added, left out, changed, or by two neighbours exchanged. */
export const isNear = (a: string, b: string): boolean => {
  if (Math.abs(a.length - b.length) > 1 || a === b) return a === b;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  const [x, y] = [a.slice(at), b.slice(at)];
  const swapped = x.length > 1 && y.length > 1 && (y[1] ?? "") + (y[0] ?? "") + y.slice(2) === x;
  return swapped || [x.slice(1), x].includes(y.slice(1)) || x.slice(1) === y;
};
