/** Which of two chains a bridge starts from. */
import { describe, expect, test } from "vitest";
import { readWords } from "./read-words.ts";
import { A, lexicon, summary } from "../../test/words.ts";

const ends = (text: string): readonly (number | undefined)[] =>
  (readWords(text, lexicon).others ?? []).flatMap(({ steps }) => steps.map(({ toChain }) => toChain?.value));

describe("the chain next to a bridge may be the destination", () => {
  test.each([
    ["Bridge 2 ETH on Base via Across", 8453],
    [`Deposit 2 ETH to ${A} on Base via Across`, 8453],
    [`Sende 2 ETH über Across an ${A} auf Base`, 8453],
  ])("%s", (text, chain) => {
    expect(ends(text)).toContain(chain);
  });
  test.each([
    ["behind from", "Bridge 2 ETH from Base via Across"],
    ["as the chain of the request", "chain: Base\nBridge 2 ETH via Across"],
    ["without a bridge", `Send 2 ETH to ${A} on Base`],
  ])("and never %s", (_, text) => {
    expect(ends(text)).not.toContain(8453);
  });
});

test("burning here and minting there is one crossing", () => {
  expect(summary(`burn 35 USDC on Ethereum and mint on Base to ${A}`)).toBe(
    "bridge · give 35 USDC · to 0x11 · chain 1 · toChain 8453",
  );
});

test("从以太坊 is the chain where a bridge starts", () => {
  expect(summary("用 Across 把 200 USDC 从以太坊跨到 Arbitrum")).toBe(
    "bridge · give 200 USDC · venue across · chain 1 · toChain 42161",
  );
});
