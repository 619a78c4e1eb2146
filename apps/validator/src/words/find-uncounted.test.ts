import { expect, test } from "vitest";
import { A, lexicon } from "../../test/words.ts";
import { findUncounted } from "./find-uncounted.ts";
import { readWords } from "./read-words.ts";

const found = (text: string): string | undefined => {
  const span = findUncounted(readWords(text, lexicon).steps, text);
  return span === null ? undefined : text.slice(...span);
};

test.each([
  ["Buy USDC with 1 RETH. A tenth.", "A tenth"],
  ["Buy USDC with 1 RETH, next quarter", "quarter"],
  [`Send 110 DAI to ${A}. Make it half.`, "half"],
])("“%s” has a fraction that counts nothing", (text, fraction) => {
  expect(found(text)).toBe(fraction);
});

test.each([
  "Buy half a WETH with USDC",
  "Swap half of my USDC to DAI",
  "DAI to USDC. 20,000 in, at least 19,980 out.",
  "Sell ten WETH, that is 10.0, for USDC",
])("“%s” says what each amount counts", (text) => {
  expect(found(text)).toBeUndefined();
});
