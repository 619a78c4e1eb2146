/** Reads the lists of ordinary words of a language. */
import { readFileSync } from "node:fs";
import type { OrdinaryClass } from "./types.ts";

const files: Readonly<Record<OrdinaryClass, string>> = {
  person: "people",
  thing: "things",
  adjective: "adjectives",
  past: "past-verbs",
  present: "present-verbs",
  adverb: "adverbs",
  firstName: "first-names",
};

export const loadOrdinaryWords = (folder: URL): Readonly<Record<OrdinaryClass, ReadonlySet<string>>> =>
  Object.fromEntries(
    Object.entries(files).map(([cls, file]) => [
      cls,
      new Set(readFileSync(new URL(`${file}.txt`, folder), "utf8").split(/\s+/).filter((word) => word !== "")),
    ]),
  ) as Record<OrdinaryClass, ReadonlySet<string>>;
