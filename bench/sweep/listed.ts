// The validator's own phrases that change a request, by language. None may be lost where it is put, however it is read.
import { readFileSync } from "node:fs";
import type { ByLanguage, Language } from "./phrases.ts";

const HEADING = /^\[(\w+)\]$/;
const CHANGING = new Set(["frames", "neg"]);

function listedIn(language: Language): string {
  const file = new URL(`../../apps/validator/data/words/${language}/phrases.txt`, import.meta.url);
  let list = "";
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => {
      list = HEADING.exec(line)?.[1] ?? list;
      return CHANGING.has(list) && line !== "" && !HEADING.test(line);
    })
    .map((phrase) => `${phrase.slice(0, 1).toUpperCase()}${phrase.slice(1)}.`)
    .join("|");
}

export const listed: Readonly<Record<string, ByLanguage>> = {
  listed: {
    ...{ en: listedIn("en"), es: listedIn("es"), pt: listedIn("pt") },
    ...{ fr: listedIn("fr"), de: listedIn("de"), zh: listedIn("zh") },
  },
};
