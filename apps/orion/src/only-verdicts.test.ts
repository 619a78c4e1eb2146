import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = import.meta.dirname;
const sources = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts") && !/\.test\.ts$|(^|\/)testing(\.ts$|\/)/.test(name))
  .map((name) => ({ name, text: readFileSync(join(root, name), "utf8") }));

const placesOf = (pattern: RegExp): readonly string[] =>
  sources.flatMap(({ name, text }) => Array.from(text.matchAll(pattern), ([found]) => `${name}: ${found}`));

test("there is one call that signs, it signs a verdict, and one place calls it", () => {
  expect(placesOf(/\bsign(?:Message|TypedData|Transaction|Authorization)?\([^()]*\(?/g)).toEqual([
    "keys/verdict-key.ts: signTypedData(verdictTypedData(",
  ]);
  expect(placesOf(/\bsignVerdict\(/g)).toEqual(["verify/verify-and-post.ts: signVerdict("]);
});
test("nothing else can sign: no wallet client, no other library's signer, the private key in one file", () => {
  expect(placesOf(/createWalletClient|createSign\b|signingKeys|createCleartextMessage|secp256k1/g)).toEqual(
    [],
  );
  expect([...new Set(placesOf(/privateKeyToAccount/g))]).toEqual([
    "keys/verdict-key.ts: privateKeyToAccount",
  ]);
});
