/** The same wishes in other voices: how amounts, people, batches, collectibles and places are written in passing. */
import { describe, expect, test } from "vitest";
import { A, B, C, summary } from "../../test/words.ts";

/** Returns the reading, with the likeliest act of each step only. */
const brief = (text: string): string =>
  summary(text.replaceAll("{A}", A).replaceAll("{B}", B).replaceAll("{C}", C)).replace(
    /(^|; )([a-z_]+)(?:\/[a-z_]+)+/g,
    "$1$2",
  );

const sentences: readonly (readonly [string, string])[] = [
  ["1,200 USDC -> {A}", "transfer · give 1200 USDC · to 0x11"],
  ["🚀 2,500 DAI → {A} 🚀", "transfer · give 2500 DAI · to 0x11"],
  ["tip {A} 12,000 PEPE", "transfer · give 12000 PEPE · to 0x11"],
  ["mándale 2,5 ETH a {A}", "transfer · give 2.5 ETH · to 0x11"],
  ["Überweise 2,5 ETH an {A}", "transfer · give 2.5 ETH · to 0x11"],
  ["pay {A} 1/2 of my LDO", "transfer · give 5000bps-of-balance LDO · to 0x11"],
  ["2/3 of my LINK to bob.eth", "transfer · give 2/3-of-balance LINK · to bob.eth"],
  ["send 1/2 ETH to {A}", "transfer · give 0.5 ETH · to 0x11"],
  ["wire one hundred and fifty DAI to {A}", "transfer · give 150 DAI · to 0x11"],
  ["quick one: send .05 weth to {A}", "transfer · give 0.05 WETH · to 0x11"],
  ["send 20 DAI to {A}, my part of the gift", "transfer · give 20 DAI · to 0x11"],
  [
    "I need to pay several people: 1 ETH to {A} and 2 ETH to {B}",
    "transfer · give 1 ETH · to 0x11 ; transfer · give 2 ETH · to 0x22",
  ],
  ["send all but 2 COMP to {A}", "transfer · give all-but-2 COMP · to 0x11"],
  ["zap Li Wei 50 USDC", 'transfer · give 50 USDC · to "Li Wei"'],
  ["Reimburse Sam from marketing 42.50 USDC", 'transfer · give 42.5 USDC · to "Sam from marketing"'],
  [
    "Wire 75 USDC to Northwind Studio on Base",
    'transfer · give 75 USDC · to "Northwind Studio" · chain 8453',
  ],
  ["send 10 USDC to my Kraken deposit", 'transfer · give 10 USDC · to "my Kraken deposit"'],
  ["forward 0.2 ETH to our cold storage", 'transfer · give 0.2 ETH · to "our cold storage"'],
  ["send 5 USDC to Max", 'transfer · give 5 USDC · to "Max"'],
  ["manda 0,05 ETH pra Jonas", 'transfer · give 0.05 ETH · to "Jonas"'],
  ["paga 20 DAI a mi hermana", 'transfer · give 20 DAI · to "mi hermana"'],
  ["Envoie 20 DAI à Jean Dupont", 'transfer · give 20 DAI · to "Jean Dupont"'],
  ["Schick Li Wei 50 USDC", 'transfer · give 50 USDC · to "Li Wei"'],
  ["转 50 USDC 给 Li Wei", 'transfer · give 50 USDC · to "Li Wei"'],
  ["Marta gets 25 LINK", 'transfer · give 25 LINK · to "Marta"'],
  ["Acme Payroll should receive $516 worth of DAI", 'transfer · give USD516 DAI · to "Acme Payroll"'],
  ["could {A} get two thousand DAI from me?", "transfer · give 2000 DAI · to 0x11"],
  ["Mira Patel needs to receive 300 DAI", 'transfer · give 300 DAI · to "Mira Patel"'],
  ["Let {A} have 150 DAI", "transfer · give 150 DAI · to 0x11"],
  ["{A} <- 5000 PEPE", "transfer · give 5000 PEPE · to 0x11"],
  ["Marta recibe 25 LINK", 'transfer · give 25 LINK · to "Marta"'],
  ["Marta bekommt 25 LINK", 'transfer · give 25 LINK · to "Marta"'],
  [
    "send 100 USDC to Alice (0x1111111111111111111111111111111111111111)",
    "transfer · give 100 USDC · to 0x11",
  ],
  [
    "payroll: {A} gets 150 USDC, {B} gets 1 WETH",
    "transfer · give 150 USDC · to 0x11 ; transfer · give 1 WETH · to 0x22",
  ],
  [
    "Settle the contributors: 4500 DAI to {A}, 3000 DAI to {B} and 3000 DAI to {C}",
    "transfer · give 4500 DAI · to 0x11 ; transfer · give 3000 DAI · to 0x22 ; transfer · give 3000 DAI · to 0x33",
  ],
  [
    "pay Alice 10 USDC, Bob 20 USDC and Carol Jones 30 USDC",
    'transfer · give 10 USDC · to "Alice" ; transfer · give 20 USDC · to "Bob" ; transfer · give 30 USDC · to "Carol Jones"',
  ],
  [
    "split 90 DAI between Ann, Bob and Li Wei",
    'transfer · give 30 DAI · to "Ann" ; transfer · give 30 DAI · to "Bob" ; transfer · give 30 DAI · to "Li Wei"',
  ],
  [
    "send 100 USDC to Alice and Bob each",
    'transfer · give 100 USDC · to "Alice" ; transfer · give 100 USDC · to "Bob"',
  ],
  ["send 5 USDC to Alice, thanks Bob", 'transfer · give 5 USDC · to "Alice"'],
  [
    "Distribute 9 ETH to {A}, 9 ETH to {B} and 3 ETH to {C}",
    "transfer · give 9 ETH · to 0x11 ; transfer · give 9 ETH · to 0x22 ; transfer · give 3 ETH · to 0x33",
  ],
  [
    "1) 200 USDC -> Jonas\n2) 1200 USDC -> {A}",
    'transfer · give 200 USDC · to "Jonas" ; transfer · give 1200 USDC · to 0x11',
  ],
  ["gift Bored Ape #914 ({B}) to {A}", "transfer · give nft(0x222222222222222222#914) · to 0x11"],
  ["transfer Pudgy Penguin 4433 to {A}", "transfer · give nft(Pudgy Penguin#4433) · to 0x11"],
  ["send 3 of Pudgy Penguin #12 ({B}) to {A}", "transfer · give 3 nft(0x222222222222222222#12) · to 0x11"],
  ["Send my Cool Cat ({B}) #7 to {A}", "transfer · give nft(0x222222222222222222#7) · to 0x11"],
  ["action: send\nnft: Bored Ape\nid: 547\nto: {A}", "transfer · give nft(Bored Ape#547) · to 0x11"],
  [
    "id: 547, collection: Bored Ape, action: transfer, to: {A}",
    "transfer · give nft(Bored Ape#547) · to 0x11",
  ],
  ["put Mutant Ape #12 up for sale at 12 ETH", "sell_nft · give nft(Mutant Ape#12) · get 12 ETH"],
  ["list Pudgy Penguin #3 ({B}), price 0.5 ETH", "sell_nft · give nft(0x222222222222222222#3) · get 0.5 ETH"],
  ["pay 2 ETH for Bored Ape #5 on OpenSea", "buy_nft · give 2 ETH · get nft(Bored Ape#5) · venue seaport"],
  ["I want mutant ape #3 moved to {A}", "transfer · give nft(mutant ape#3) · to 0x11"],
  ["send 3 ETH to {A} (Ethereum)", "transfer · give 3 ETH · to 0x11 · chain 1"],
  ["send 3 ETH to {A}, Arbitrum, thanks", "transfer · give 3 ETH · to 0x11 · chain 42161"],
  ["send 3 ETH from our multisig to {A}", "transfer · give 3 ETH · to 0x11"],
  ["take 0.5 ETH from OP Mainnet over to mainnet", "bridge · give 0.5 ETH · chain 10 · toChain 1"],
  ["swap 1 ETH into aave", "swap · give 1 ETH · get AAVE"],
  ["spend 250 USDC on LINK", "swap · give 250 USDC · get LINK"],
  ["swap 250 UNI for ETH at a fair price", "swap · give 250 UNI · get ETH"],
  ["deposit 907 USDC into Morpho USDC vault", "supply · give 907 USDC · venue morpho"],
  ["withdraw 20 DAI from Morpho DAI vault", "withdraw · get 20 DAI · venue morpho"],
  ["repay 5,000 USDC of my Aave loan", "repay · give 5000 USDC · venue aave_v3"],
  ["revoke {A} for OP on Optimism", "revoke · give OP · spender 0x11 · chain 10"],
  ["Markets are shaky so I would rather hold DAI. Swap 3 ETH for DAI", "swap · give 3 ETH · get DAI"],
  ["get me some ARB using 0.02 WBTC", "swap · give 0.02 WBTC · get ARB"],
  ["vende 3 ETH, quiero USDC", "swap · give 3 ETH · get USDC"],
  [
    "swap 1 WETH into DAI via Uniswap, then 1590 DAI to {A}",
    "swap · give 1 WETH · get DAI · venue uniswap ; transfer · give 1590 DAI · to 0x11",
  ],
  ["achète du DAI avec 0,75 WETH", "swap · give 0.75 WETH · get DAI"],
  [
    "quero receber pelo menos 44,5 ETH, trocando 100000 DAI na Uniswap",
    "swap · give 100000 DAI · get least-44.5 ETH · venue uniswap",
  ],
  ["retire 200 USDC d'Aave", "withdraw · get 200 USDC · venue aave_v3"],
  ["отправь 5 USDC на {A}", "NO REQUEST: it names no action"],
  ["{A} adresine 50 USDC gönder", "NO REQUEST: it names no action"],
  ["invia 20 USDC a {A}", "NO REQUEST: it names no action"],
  ["token_in=eth amount=2 token_out=uni", "swap · give 2 ETH · get UNI"],
  ["action: swap\nfrom: 64.25 DAI\nto: AAVE", "swap · give 64.25 DAI · get AAVE"],
];

describe("people say the same in many ways", () => {
  test.each(sentences)("%s", (sentence, read) => {
    expect(brief(sentence)).toBe(read);
  });
});
