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

/** Of languages that are not read phrase by phrase. */
export const ordinaryWords: Readonly<Record<string, ReadonlySet<string> | undefined>> = Object.fromEntries(
  ["es", "pt", "fr", "de", "zh"].map((language) => [language, all(language)]),
);
