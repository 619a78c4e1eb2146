import { expect, test } from "vitest";
import { A, lexicon } from "../../test/words.ts";
import { findOtherLanguage } from "./find-other-language.ts";
import { languageOf } from "./language.ts";
import { readItems } from "./read-items.ts";
import { readCharacters } from "./unicode.ts";

const found = (text: string): string | undefined => {
  const seen = readCharacters(text.replace("{A}", A));
  const language = languageOf(seen.clean, lexicon);
  return findOtherLanguage(readItems(seen, lexicon, language), language)?.text;
};

test.each([
  ["We promised the interpreters to pay them. Das wurde gestern bezahlt. Send 5 ETH to {A}.", "Das"],
  ["I have some wrapped ether on Base. Retiro o que disse. Turn 0.3 WETH of it back to ETH.", "Retiro"],
  ["My part is 36 USDC. Warte, bis ich anrufe. Please send it on Optimism to {A}.", "bis"],
  [
    "Por favor, manda 5 ETH a {A} para pagar el alquiler de la casa nueva. We should talk about this with the others.",
    "should",
  ],
])("“%s” has a part in another language", (text, word) => {
  expect(found(text)).toBe(word);
});

test.each([
  "Send 5 ETH to {A}. Gracias!",
  "Schick 5 ETH an {A}, danke, best regards",
  "Manda 5 ETH a {A} en Base, swap en Uniswap V3",
  "Send 5 ETH to {A} for Café Müller",
  "在Base上给{A}打0.25个ETH",
])("“%s” is in one language, or only thanks in another", (text) => {
  expect(found(text)).toBeUndefined();
});
