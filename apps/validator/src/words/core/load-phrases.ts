/** Phrases of a language by their class, from `data/words/<language>/phrases.txt`: a line `[class]`, then one phrase per line. */
import { readFileSync } from "node:fs";

const HEADING = /^\[(\w+)\]$/;

export function loadPhrases(language: string): ReadonlyMap<string, readonly string[]> {
  const phrases = new Map<string, string[]>();
  let open: string[] = [];
  const file = new URL(`../../../data/words/${language}/phrases.txt`, import.meta.url);
  for (const line of readFileSync(file, "utf8").split("\n")) {
    const heading = HEADING.exec(line)?.[1];
    if (heading !== undefined) phrases.set(heading, (open = phrases.get(heading) ?? []));
    else if (line !== "") open.push(line);
  }
  return phrases;
}
