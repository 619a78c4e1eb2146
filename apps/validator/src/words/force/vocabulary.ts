/** Finds phrases and ordinary words of one language in a row of words. */
import { fold } from "../phrases.ts";
import type { Bit } from "./clauses.ts";

type Words = Readonly<Record<"nouns" | "adjectives" | "verbs", ReadonlySet<string>>>;

export type Vocabulary<Class extends string> = {
  /** How many bits the longest phrase of one of these classes takes at a position; 0 without a match. */
  readonly phraseAt: (bits: readonly Bit[], at: number, classes: readonly Class[]) => number;
  /** A noun, an adjective, an adverb or a number: says nothing on its own about what is asked for. */
  readonly describes: (word: string) => boolean;
  /** A verb of everyday life, in any form. */
  readonly isVerb: (word: string) => boolean;
  /** A verb as it is used for orders, and nothing else. */
  readonly commands: (word: string) => boolean;
};

type Entry<Class> = { readonly words: readonly string[]; readonly cls: Class };

export function makeVocabulary<Class extends string>(
  phrases: Readonly<Record<Class, string>>,
  { nouns, adjectives, verbs }: Words,
): Vocabulary<Class> {
  const index = indexOf(phrases);
  const isOrdinary = (word: string): boolean => nouns.has(word) || adjectives.has(word) || /^\d/.test(word);
  const describes = (word: string): boolean =>
    isOrdinary(word.replace(/['’]s?$/, "")) ||
    (word.includes("-") && word.split("-").every((part) => isOrdinary(part) || index.has(part)));
  return {
    phraseAt: (bits, at, classes) => longestAt(index, bits, at, classes),
    describes,
    isVerb: (word) => stemsOf(word).some((stem) => verbs.has(stem)),
    commands: (word) => verbs.has(word) && !describes(word),
  };
}

function indexOf<Class extends string>(
  phrases: Readonly<Record<Class, string>>,
): Map<string, Entry<Class>[]> {
  const index = new Map<string, Entry<Class>[]>();
  for (const [cls, list] of Object.entries(phrases) as [Class, string][])
    for (const phrase of list.split(",")) {
      const words = phrase.trim().split(/\s+/).map(fold);
      const [first = ""] = words;
      index.set(first, [...(index.get(first) ?? []), { words, cls }]);
    }
  for (const entries of index.values()) entries.sort((a, b) => b.words.length - a.words.length);
  return index;
}

function longestAt<Class extends string>(
  index: ReadonlyMap<string, readonly Entry<Class>[]>,
  bits: readonly Bit[],
  at: number,
  classes: readonly Class[],
): number {
  const entries = index.get(bits[at]?.low.split(" ")[0] ?? "") ?? [];
  for (const { words, cls } of entries) {
    const taken = classes.includes(cls) ? spell(words, bits, at) : 0;
    if (taken > 0) return taken;
  }
  return 0;
}

/** How many bits spell these words; 0 if they do not. A bit can hold several words ("a day"). */
function spell(words: readonly string[], bits: readonly Bit[], at: number): number {
  let [used, taken] = [0, 0];
  while (used < words.length) {
    const bit = bits[at + taken];
    const parts = bit === undefined || bit.kind === "mark" ? [] : bit.low.split(" ");
    if (parts.length === 0 || parts.some((part, index) => words[used + index] !== part)) return 0;
    used += parts.length;
    taken += 1;
  }
  return taken;
}

/** English endings. A stem that is no word matches nothing. */
const stemsOf = (word: string): readonly string[] => [
  word,
  word.replace(/s$/, ""),
  word.replace(/es$/, ""),
  word.replace(/ies$/, "y"),
  word.replace(/e?d$/, ""),
  word.replace(/d$/, ""),
  word.replace(/ied$/, "y"),
  word.replace(/(.)\1(?:ed|ing)$/, "$1"),
  word.replace(/ing$/, ""),
  word.replace(/ing$/, "e"),
];
