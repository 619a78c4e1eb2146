/** Requests spread over clauses: payees named elsewhere, reasons, lists, permissions in everyday words. `{A}`, `{B}`, `{C}` stand for addresses. */
import { describe, expect, test } from "vitest";
import { readWords } from "./read-words.ts";
import { A, B, C, lexicon, summary } from "../../test/words.ts";

const filled = (sentence: string): string =>
  sentence.replaceAll("{A}", A).replaceAll("{B}", B).replaceAll("{C}", C);

const permissions: readonly (readonly [string, string])[] = [
  ["Approve {A}, USDC, qty 75", "approve · give 75 USDC · spender 0x11"],
  ["spender: {A}\ntoken: DAI\nallowance: 64", "approve · give 64 DAI · spender 0x11"],
  ["approve {A} for USDC, limit: 40", "approve · give 40 USDC · spender 0x11"],
  ["token USDC spender {A} max 60", "approve · give most-60 USDC · spender 0x11"],
  ["Terminate Uniswap's authorization on my LINK", "revoke · give LINK · spender @uniswap"],
  ["shut off {A}'s spending rights for WBTC", "revoke · give WBTC · spender 0x11"],
  ["Cancel the permission of {A} over my USDC", "revoke · give USDC · spender 0x11"],
  ["I want {A} removed as an operator of my USDC", "revoke · give USDC · spender 0x11"],
  ["withdraw my USDC approval from {A}", "revoke · give USDC · spender 0x11"],
  ["I'm fine with {A} taking 40 DAI", "approve · give 40 DAI · spender 0x11"],
  ["need to OK {A} for 0.5 WETH before I place an order", "approve · give 0.5 WETH · spender 0x11"],
  ["Sign a Permit2 allowance of 35 USDC for 1inch", "approve · give 35 USDC · spender @one_inch"],
  [
    "Grant Uniswap just enough and swap 6 UNI into WETH",
    "approve · give 6 UNI · spender @uniswap ; swap · give 6 UNI · get WETH",
  ],
];

const payees: readonly (readonly [string, string])[] = [
  ["Lena covered dinner; send her 30 USDC please", 'transfer · give 30 USDC · to "Lena"'],
  ["I promised Rosa Diaz 15 DAI, please transfer it to her", 'transfer · give 15 DAI · to "Rosa Diaz"'],
  ["Bill from Northwind GmbH: 410 USDC. Please settle it.", 'transfer · give 410 USDC · to "Northwind GmbH"'],
  ["my flatmate paid the water and i need to get 9 DAI to him at {B}", "transfer · give 9 DAI · to 0x22"],
  ["Send 20 USDC to my brother. His wallet is {B}", "transfer · give 20 USDC · to 0x22"],
  ["Envía 15 USDC a mi prima. Su dirección es {B}", "transfer · give 15 USDC · to 0x22"],
  ["Send 40 USDC to {B}, the rent is due tomorrow", "transfer · give 40 USDC · to 0x22 ; LOOSE tomorrow"],
  ["Pay {B} 8 USDC; this settles the May bill in full.", "transfer · give 8 USDC · to 0x22"],
  [
    "Pay the plumber 120 USDC and the electrician 95 USDC",
    'transfer · give 120 USDC · to "plumber" ; transfer · give 95 USDC · to "electrician"',
  ],
  ["1) 2 ETH to {A} 2) 3 ETH to {B}", "transfer · give 2 ETH · to 0x11 ; transfer · give 3 ETH · to 0x22"],
  [
    "move 1 ETH across to cold storage",
    'transfer/bridge/supply/stake/swap/withdraw · give 1 ETH · to "cold storage"',
  ],
  ["No swaps: just a plain 35 USDT transfer to {B}.", "transfer · give 35 USDT · to 0x22 ; NOT act"],
];

const trades: readonly (readonly [string, string])[] = [
  ["Buy 500 USDC, pay with WETH, max 0.2 WETH", "swap/buy_nft · give most-0.2 WETH · get 500 USDC"],
  ["buy 2 WETH and pay not more than 6000 DAI", "swap/buy_nft · give most-6000 DAI · get 2 WETH"],
  ["Want: 1 WETH; Pay: USDC; Max: 3300 USDC", "swap/wrap/unwrap · give most-3300 USDC · get 1 WETH"],
  ["用 2 WETH 换 USDC,最少收到 6000 USDC", "swap · give 2 WETH · get least-6000 USDC"],
  ["sell 2 WETH for USDC valid 20 minutes", "swap/sell_nft · give 2 WETH · get USDC · deadline 1200s"],
  ["Désemballe 0.35 WETH en ETH", "unwrap · give 0.35 WETH · get ETH"],
  [
    "I keep 12 USDC on Base; get it over to Arbitrum via Across",
    "bridge/swap/claim/withdraw/borrow/buy_nft/unstake/remove_liquidity/mint · give 12 USDC · venue across · chain 8453 · toChain 42161",
  ],
];

describe("permissions in everyday words", () => {
  test.each(permissions)("%s", (sentence, read) => {
    expect(summary(filled(sentence))).toBe(read);
  });
});
describe("payees and reasons in other clauses", () => {
  test.each(payees)("%s", (sentence, read) => {
    expect(summary(filled(sentence))).toBe(read);
  });
});
describe("trades with their cost said apart", () => {
  test.each(trades)("%s", (sentence, read) => {
    expect(summary(filled(sentence))).toBe(read);
  });
});

describe("a part that no slot took stays open", () => {
  test.each(["swap 1 WETH for USDC, no partial fills {A}", "swap 1 WETH for USDC, no fees {A}"])(
    "%s",
    (sentence) => {
      const { tokens } = readWords(filled(sentence), lexicon);
      expect(tokens.find((token) => token.kind === "address")?.slot).toBeNull();
    },
  );
  test("of two named people, none is chosen", () => {
    expect(summary("Anna and Tom agreed, send her 5 USDC")).not.toMatch(/Anna|Tom/);
  });
  test.each([
    "Wyślij 50 USDC na adres {B}",
    "Отправь 50 USDC на {B}",
    "50 USDC を {B} に送って",
    "Hesabıma 5 USDC aktar",
  ])("%s is in a language that we do not read", (sentence) => {
    expect(readWords(filled(sentence), lexicon)).toMatchObject({ language: "unknown", steps: [] });
  });
});
