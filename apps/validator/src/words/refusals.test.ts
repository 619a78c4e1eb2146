import { expect, test } from "vitest";
import { A, lexicon } from "../../test/words.ts";
import { readWords } from "./read-words.ts";

const refusedIn = (text: string): readonly string[] =>
  readWords(text, lexicon).negations.map(({ kind, chain }) => [kind, chain].join(" ").trim());

test.each([
  ["a chain is refused by name", `Send 5 USDC to ${A}, not on Base`, ["chain base"]],
  ["what no rule compares is unchecked", `Send 5 USDC to ${A}, no streaming contract`, ["unchecked"]],
  ["nothing beyond the request", `Send 5 USDC to ${A}, nothing else`, []],
  ["no more than the request, in Spanish", `Envía 5 USDC a ${A}, ni un céntimo más`, ["other"]],
  ["an act with more of it, in Spanish", `Envía 5 USDC a ${A}. No vender más`, ["act"]],
  ["an act with more of it, in French", `Envoie 5 USDC à ${A}. Ne vends plus`, ["act"]],
  ["an act with more of it, in German", `Sende bitte 5 USDC an ${A}. Nicht mehr verkaufen`, ["act"]],
])("%s", (_, text, kinds) => {
  expect(refusedIn(text)).toEqual(kinds);
});
