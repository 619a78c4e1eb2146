/** One language's phrases, frames and names, indexed by their first word. */
import type { Lexicon } from "../../words/lexicon.ts";
import type { Token } from "../tokens.ts";
import type { Frame, Language, OrdinaryClass } from "./types.ts";

/** What a phrase can be. `value` depends on the class: a bound's side, a unit's seconds, a chain's name. */
export type Entry = {
  readonly cls: string;
  readonly value: string;
  readonly frame: Frame | null;
};

type Phrase = { readonly words: readonly string[]; readonly entry: Entry };

export type Match = { readonly end: number; readonly entry: Entry };

export type Vocabulary = {
  readonly language: Language;
  readonly names: Lexicon;
  /** Every phrase that starts at a token, of any length. */
  readonly matches: (tokens: readonly Token[], at: number) => readonly Match[];
  readonly is: (word: string, cls: OrdinaryClass) => boolean;
};

const wordsIn = (phrase: string): readonly string[] =>
  phrase
    .trim()
    .toLowerCase()
    .split(/\s+|(?<=[a-z])-(?=[a-z])/)
    .flatMap((word) => word.match(/[\p{L}\p{N}'_.]+|[^\p{L}\p{N}'_.\s]+/gu) ?? [])
    .filter((word) => word !== "");

/** How a token is spelled in the index: words and marks in lower case, numbers as written. */
const spelled = (token: Token | undefined): string | null => {
  if (token === undefined || token.kind === "line") return null;
  if (token.kind === "word") return token.possessive ? `${token.low}'s` : token.low;
  return token.kind === "mark" ? token.mark : token.text.toLowerCase();
};

export function makeVocabulary(language: Language, names: Lexicon): Vocabulary {
  const index = new Map<string, Phrase[]>();
  const add = (phrase: string, entry: Entry): void => {
    const words = wordsIn(phrase);
    const [first] = words;
    if (first === undefined) return;
    const list = index.get(first) ?? [];
    list.push({ words, entry });
    index.set(first, list);
  };
  for (const [key, list] of Object.entries(language.phrases)) {
    const [cls = "", value = ""] = key.split(":");
    for (const phrase of list.split(",")) add(phrase, { cls, value, frame: null });
  }
  for (const frame of language.frames) {
    for (const verb of frame.verbs.split(",")) add(verb, { cls: "verb", value: verb.trim(), frame });
    for (const noun of frame.nouns?.split(",") ?? []) add(noun, { cls: "noun", value: noun.trim(), frame });
    for (const own of frame.own?.split(",") ?? []) add(own, { cls: "own", value: frame.id, frame });
  }
  for (const phrase of names.chainPhrases) add(phrase, { cls: "chain", value: phrase, frame: null });
  for (const phrase of names.venuePhrases)
    if (!/^(?:weth|wrapped (?:ether|eth|ethereum))$/.test(phrase))
      add(phrase, { cls: "venue", value: names.venueNamed(phrase) ?? phrase, frame: null });
  for (const phrase of names.collectionPhrases ?? []) add(phrase, { cls: "collection", value: phrase, frame: null });
  return {
    language,
    names,
    is: (word, cls) => language.ordinary[cls].has(word),
    matches: (tokens, at) => {
      const word = spelled(tokens[at]);
      if (word === null) return [];
      const found = [...(index.get(word) ?? [])];
      // "Uniswap's pool", "Base's bridge": a name keeps its meaning with a possessive ending.
      const token = tokens[at];
      if (token?.kind === "word" && token.possessive) found.push(...(index.get(token.low) ?? []));
      return found.flatMap(({ words, entry }) => {
        const whole = words.every((one, offset) => {
          if (offset === 0) return true;
          return spelled(tokens[at + offset]) === one;
        });
        return whole ? [{ end: at + words.length, entry }] : [];
      });
    },
  };
}
