/** Lists of ordinary words by language: nouns, adjectives and verbs of everyday life that cannot change what a request asks for. */
import { readFileSync } from "node:fs";
import { fold } from "../phrases.ts";

export type WordList = "people" | "things" | "adjectives" | "verbs";

const folder = new URL("../../../data/words/", import.meta.url);

export const fileOf = (language: string, list: WordList): URL => new URL(`${language}/${list}.txt`, folder);

export const loadWords = (language: string, list: WordList): ReadonlySet<string> =>
  new Set(
    readFileSync(fileOf(language, list), "utf8")
      .split(/\s+/)
      .filter((word) => word !== "")
      .map(fold),
  );

const all = (language: string): ReadonlySet<string> =>
  new Set(
    (["people", "things", "adjectives", "verbs"] as const).flatMap((list) => [...loadWords(language, list)]),
  );

/** Whether another language than this one has the word among its ordinary words. */
export const isForeignWord = (low: string, language: string): boolean =>
  Object.entries(ordinaryWords).some(([other, words]) => other !== language && words?.has(low) === true);

export const ordinaryWords: Readonly<Record<string, ReadonlySet<string> | undefined>> = Object.fromEntries(
  ["en", "es", "pt", "fr", "de", "zh"].map((language) => [language, all(language)]),
);
