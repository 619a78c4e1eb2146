/** Searches readings of a text that the kernel accepts, as a model that lies as well as it can, and asks for the verdict with each. */
import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { parseLossless, ValidateRequest } from "../src/request/index.ts";
import type { Engine } from "../src/validate/engine.ts";
import { validate } from "../src/validate/validate.ts";
import { textOf } from "../src/words/core/parts.ts";
import { languageOf } from "../src/words/language.ts";
import { readItems } from "../src/words/read-items.ts";
import { readWords } from "../src/words/read-words.ts";
import { checkReading } from "../src/words/readings/check-reading.ts";
import type { Reading } from "../src/words/readings/reading.ts";
import { readCharacters } from "../src/words/unicode.ts";
import type { Random } from "./random.ts";
import { readingsFor } from "./readings.ts";

type Request = { readonly human_intent: string };
type Case = { readonly expected: string; readonly class: string; readonly request: Request };

export const bench = new URL("../../../bench/", import.meta.url);

const readSet = (name: string): readonly Case[] =>
  gunzipSync(readFileSync(new URL(`outside/${name}`, bench)))
    .toString()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Case);

/** The cases of all outside sets. */
export const readSets = (): readonly Case[] => readdirSync(new URL("outside/", bench)).flatMap(readSet);

type Options = { readonly engine: Engine; readonly random: Random; readonly mutations: number };
type Found = { readonly tried: number; readonly shown: readonly Reading[] };

/** The readings of a text that are used, one for each sentence that they become. */
function search(text: string, { engine: { lexicon }, random, mutations }: Options): Found {
  const seen = readCharacters(text);
  const language = languageOf(seen.clean, lexicon);
  const given = { text, items: readItems(seen, lexicon, language), language };
  const plain = readWords(text, lexicon).others?.length ?? 0;
  const known = new Set<string>();
  const shown: Reading[] = [];
  let tried = 0;
  for (const reading of readingsFor(given, { lexicon, below: random.int, mutations })) {
    tried += 1;
    const checked = checkReading(given, reading, lexicon);
    const sentence = "parts" in checked ? textOf(checked.parts) : undefined;
    if (sentence === undefined || known.has(sentence)) continue;
    known.add(sentence);
    if ((readWords(text, lexicon, [], reading).others?.length ?? 0) > plain) shown.push(reading);
  }
  return { tried, shown };
}

export async function passes(request: object, engine: Engine, proposed: Reading | null): Promise<boolean> {
  const parsed = parseLossless(JSON.stringify(request));
  const body = ValidateRequest.parse("value" in parsed ? parsed.value : undefined);
  return (await validate(body, engine, { proposed })).decision === "PASS";
}

/** `gained`: texts that pass with some reading and not without one. */
export async function searchAll(requests: readonly Request[], options: Options) {
  const { engine } = options;
  const gained = new Set<string>();
  let [tried, used] = [0, 0];
  for (const request of requests) {
    const found = search(request.human_intent, options);
    tried += found.tried;
    used += found.shown.length;
    for (const reading of found.shown)
      if ((await passes(request, engine, reading)) && !(await passes(request, engine, null)))
        gained.add(request.human_intent);
  }
  console.log(`${requests.length} texts, ${tried} readings tried, ${used} used, ${gained.size} passed`);
  return { tried, used, gained: [...gained] };
}
