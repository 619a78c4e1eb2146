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
  ["the request itself", `Send 5 USDC to ${A}, I do not authorise this`, ["unchecked"]],
  ["the request itself, in Spanish", `Envía 5 USDC a ${A}, no lo autorizo`, ["unchecked"]],
  ["the request itself, in Chinese", `转 5 USDC 给 ${A}，不能转`, ["unchecked"]],
  ["the request's own act", `Wrap 5 ETH, without the transfer itself`, ["unchecked"]],
  ["any act of a kind", `Send 5 USDC to ${A}, no swaps`, ["act"]],
  ["any approval", `Send 5 USDC to ${A}, without approvals`, ["approval"]],
  ["the request, as no approval of it", `Send 5 USDC to ${A}, I give no approval for it`, ["unchecked"]],
  ["the request, as not authorised", `Send 5 USDC to ${A}, you are not authorised to do that`, ["unchecked"]],
  ["an act with more of it, in Spanish", `Envía 5 USDC a ${A}. No vender más`, ["act"]],
  ["an act with more of it, in French", `Envoie 5 USDC à ${A}. Ne vends plus`, ["act"]],
  ["an act with more of it, in German", `Sende bitte 5 USDC an ${A}. Nicht mehr verkaufen`, ["act"]],
])("%s", (_, text, kinds) => {
  expect(refusedIn(text)).toEqual(kinds);
});

const conditionsIn = (text: string): number =>
  readWords(text, lexicon).steps.flatMap(({ conditions }) => conditions).length;

test.each([
  ["one step waits for another", "Wrap 5 ETH and, once it is done, swap 5 WETH for USDC", 0],
  ["one step waits for what another brings", "Wrap 5 ETH. Once the tokens arrive, swap 5 WETH for USDC", 0],
  ["two steps wait for something else", "Wrap 5 ETH and swap 5 WETH for USDC, only once the goods arrive", 1],
  ["only a message is asked for", `Send 5 USDC to ${A} and tell me when it is done`, 0],
  ["the only step waits for something else", `Send 5 USDC to ${A}. Only once the goods arrive.`, 1],
  ["the only step waits", `Send 5 USDC to ${A} when it is done`, 1],
])("%s", (_, text, conditions) => {
  expect(conditionsIn(text)).toBe(conditions);
});
