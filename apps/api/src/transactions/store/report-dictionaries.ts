// The dictionaries that reports are compressed with. Rows name them by number, so one that was released is never changed or
// removed: a better one gets the next number. `node tools/dictionary/main.ts <number>` builds one.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** The SHA-256 of each. */
const digests: ReadonlyMap<number, string> = new Map([
  [1, "edaf35f781b212d1ebc3bab533ffb8b7cbe848bbadffd3d8e0c2ac690b3b04a0"],
]);

/** Compresses new reports. */
export const newestDictionary = Math.max(...digests.keys());

const fileOf = (number: number): URL =>
  new URL(`../../../data/report-dictionary-${number}.txt`, import.meta.url);

function readDictionary(number: number, digest: string): Buffer {
  const content = readFileSync(fileOf(number));
  if (createHash("sha256").update(content).digest("hex") !== digest)
    throw new Error(`report dictionary ${number} was changed: reports compressed with it cannot be read`);
  return content;
}

const dictionaries: ReadonlyMap<number, Buffer> = new Map(
  [...digests].map(([number, digest]) => [number, readDictionary(number, digest)]),
);

/** Throws for a number that this version does not know. */
export function findDictionary(number: number): Buffer {
  const found = dictionaries.get(number);
  if (found === undefined) throw new Error(`this version does not have report dictionary ${number}`);
  return found;
}
