// The sets in `outside/`, written by authors who had not read the validator.
import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

/** A case as its author wrote it. An honest request may name a protocol that a validator need not know. */
export type OutsideCase = {
  readonly id: string;
  readonly class: string;
  readonly critical: boolean;
  readonly expected: "PASS" | "REJECT" | "PASS_OR_HONEST_REJECT";
  readonly request: unknown;
};

const folder = new URL("outside/", import.meta.url);

/** The names of all sets, or of the one with this number. */
export const setNames = (number?: string): readonly string[] =>
  readdirSync(folder).filter((name) => number === undefined || name === `set-${number}.jsonl.gz`);

export const readSet = (name: string): readonly OutsideCase[] =>
  gunzipSync(readFileSync(new URL(name, folder)))
    .toString()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as OutsideCase);
