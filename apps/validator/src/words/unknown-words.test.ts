import { expect, test } from "vitest";
import { A, lexicon } from "../../test/words.ts";
import { readWords } from "./read-words.ts";

const unknownIn = (text: string): readonly string[] =>
  (readWords(text, lexicon).unknownWords ?? []).map((word) => word.text);

test("a request whose words are all known has none", () => {
  expect(unknownIn(`Send 5 USDC to ${A}`)).toEqual([]);
});

test("a word that no table has is listed, with its place", () => {
  const text = `Send 5 USDC to ${A} frobnicating gently`;
  const found = readWords(text, lexicon).unknownWords ?? [];
  expect(found.map(({ span }) => text.slice(...span))).toEqual(["frobnicating", "gently"]);
});

test.each([`Send 5 USDC to our warm wallet ${A}`, `Send 5 USDC to ${A} from the frosty wallet`])(
  "words that describe an account or an address are not listed: %s",
  (text) => {
    expect(unknownIn(text)).toEqual([]);
  },
);

test("a word before something else is listed", () => {
  expect(unknownIn(`Send frosty 5 USDC to ${A}`)).toEqual(["frosty"]);
});
