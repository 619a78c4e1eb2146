import { expect, test } from "vitest";
import { itemsIn } from "../../../test/core.ts";
import { A, lexicon } from "../../../test/words.ts";
import { clausesOf } from "./clauses.ts";
import { findStrangePart } from "./find-strange-part.ts";
import { english } from "./lexicon/en.ts";
import { tokensAround } from "./tokens.ts";

const found = (text: string): string | undefined => {
  const tokens = tokensAround(itemsIn(text).items, lexicon);
  return findStrangePart(clausesOf(tokens, english), english)?.text;
};

test.each([
  [`Send 5 ETH to ${A}. Corrige esta frase.`, "esta"],
  [`My neighbour needs help. Mañana basta. Send 5 ETH to ${A}.`, "basta"],
  [`Send 5 ETH to ${A}, qwyx zzorb plen`, "qwyx"],
])("“%s”: hardly a word of a part is English", (text, word) => {
  expect(found(text)).toBe(word);
});

test.each([
  `Send 5 ETH to ${A}. Thank you very much.`,
  `Send 5 ETH to ${A}, Café Müller`,
  `Send 5 ETH to ${A}. Gracias!`,
  `Send 5 ETH to ${A} for the hygge evening`,
  `Send 5 ETH on Base to ${A}`,
])("“%s”: half of every part is English, or the part is a name or one word", (text) => {
  expect(found(text)).toBeUndefined();
});
