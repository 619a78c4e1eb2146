/** Spanish, Portuguese, French, German, Chinese. `{A}`, `{B}`, `{C}` stand for addresses. */
import { describe, expect, test } from "vitest";
import { A, B, C, summary } from "../../test/words.ts";

const sentences: readonly (readonly [string, string])[] = [
  ["Envía 100 USDC a {A}", "transfer · give 100 USDC · to 0x11"],
  [
    "Por favor, cambia 1.500 USDC por ETH en Uniswap con un deslizamiento máximo del 0,5%",
    "swap/wrap/unwrap · give 1500 USDC · get ETH · venue uniswap · slippage 50",
  ],
  ["Quiero comprar 2 ETH con USDC", "swap/buy_nft · give USDC · get 2 ETH"],
  ["Aprueba a Uniswap para gastar 100 USDC", "approve · give 100 USDC · spender @uniswap"],
  [
    "Deposita 500 DAI en Aave y luego pide prestado 100 USDC",
    "supply/stake/wrap/add_liquidity/bridge/transfer · give 500 DAI · venue aave_v3 ; borrow · get 100 USDC",
  ],
  ["Vende la mitad de mis UNI por ETH", "swap/sell_nft · give 5000bps-of-balance UNI · get ETH"],
  ["Envia todo mi DAI a bob.eth", "transfer · give all DAI · to bob.eth"],
  [
    "Retira 200 USDC de Aave",
    "withdraw/unstake/unwrap/remove_liquidity/transfer · get 200 USDC · venue aave_v3",
  ],
  ["Puentea 50 USDC de Arbitrum a Base", "bridge · give 50 USDC · chain 42161 · toChain 8453"],
  [
    "No uses Uniswap. Cambia 1 ETH por USDC",
    "swap/wrap/unwrap · give 1 ETH · get USDC · venue !uniswap ; NOT venue",
  ],
  ["Envie 50 USDC para {A}", "transfer · give 50 USDC · to 0x11"],
  ["Troque 0,5 ETH por USDC na Uniswap", "swap · give 0.5 ETH · get USDC · venue uniswap"],
  [
    "Deposite 1000 USDC na Aave",
    "supply/stake/wrap/add_liquidity/bridge/transfer · give 1000 USDC · venue aave_v3",
  ],
  [
    "Retire todos os meus DAI da Compound",
    "withdraw/unstake/unwrap/remove_liquidity/transfer · get all DAI · venue compound",
  ],
  ["Compre 100 USDC com ETH, no mínimo 99 USDC", "swap/buy_nft · give ETH · get 100 USDC"],
  ["Autorize a Uniswap a gastar 200 DAI", "approve · give 200 DAI · spender @uniswap"],
  ["Envoie 25 USDC à {A}", "transfer · give 25 USDC · to 0x11"],
  [
    "Échange 1 ETH contre au moins 2500 USDC sur Uniswap v3",
    "swap · give 1 ETH · get least-2500 USDC · venue uniswap_v3",
  ],
  ["Achète 0,5 ETH avec des USDC", "swap/buy_nft · give USDC · get 0.5 ETH"],
  [
    "Dépose 1 000 DAI sur Aave",
    "supply/stake/wrap/add_liquidity/bridge/transfer · give 1000 DAI · venue aave_v3",
  ],
  [
    "Retire la moitié de mes USDC de Compound",
    "withdraw/unstake/unwrap/remove_liquidity/transfer · get 5000bps-of-balance USDC · venue compound",
  ],
  ["Autorise {A} à dépenser 100 USDC", "approve · give 100 USDC · spender 0x11"],
  ["Je voudrais envoyer 10 USDC à bob.eth, s'il vous plaît", "transfer · give 10 USDC · to bob.eth"],
  ["Sende 100 USDC an {A}", "transfer · give 100 USDC · to 0x11"],
  ["Bitte 100 USDC an {A} senden", "transfer · give 100 USDC · to 0x11"],
  ["Ich möchte 1 ETH in USDC tauschen", "swap · give 1 ETH · get USDC"],
  ["Tausche 1,5 ETH gegen USDC auf Uniswap", "swap · give 1.5 ETH · get USDC · venue uniswap"],
  ["Kaufe 2 ETH mit USDC", "swap/buy_nft · give USDC · get 2 ETH"],
  [
    "Zahle 500 DAI bei Aave ein",
    "supply/stake/wrap/add_liquidity/bridge/transfer · give 500 DAI · venue aave_v3",
  ],
  [
    "Hebe alle meine USDC von Aave ab",
    "withdraw/unstake/unwrap/remove_liquidity/transfer · get all USDC · venue aave_v3",
  ],
  ["Überweise 1.500 USDC an bob.eth", "transfer · give 1500 USDC · to bob.eth"],
  ["Erlaube Uniswap, 100 USDC auszugeben", "approve · give 100 USDC · spender @uniswap"],
  ["发送 100 USDC 到 {A}", "transfer · give 100 USDC · to 0x11"],
  ["把 1 ETH 换成 USDC", "swap/wrap/unwrap · give 1 ETH · get USDC"],
  ["用 500 USDC 买 ETH", "swap/buy_nft · give 500 USDC · get ETH"],
  ["给 {A} 转 50 USDC", "transfer · give 50 USDC · to 0x11"],
  [
    "在 Uniswap 上将 1 ETH 兑换成至少 2500 USDC，滑点 0.5%",
    "swap/wrap/unwrap · give 1 ETH · get least-2500 USDC · venue uniswap · slippage 50",
  ],
  [
    "把我所有的 DAI 存入 Aave",
    "supply/stake/wrap/add_liquidity/bridge/transfer · give all DAI · venue aave_v3",
  ],
  ["从 Arbitrum 跨链 100 USDC 到 Base", "bridge · give 100 USDC · chain 42161 · toChain 8453"],
  ["授权 Uniswap 使用 100 USDC", "approve · give 100 USDC · spender @uniswap"],
  [
    "不要使用 Uniswap，把 1 ETH 换成 USDC",
    "swap/wrap/unwrap · give 1 ETH · get USDC · venue !uniswap ; NOT venue",
  ],
  ["向bob.eth转账一百USDC", "transfer · give 100 USDC · to bob.eth"],
  ["质押 2 ETH 到 Lido", "stake/supply · give 2 ETH · venue lido"],
  ["Necesito mandarle 300 USDT a {A} por el alquiler de marzo", "transfer · give 300 USDT · to 0x11"],
  [
    "Cambia todos mis UNI a USDC en la red de Arbitrum",
    "swap/wrap/unwrap · give all UNI · get USDC · chain 42161",
  ],
  [
    "Preciso trocar 250 USDT por ETH com no máximo 1% de slippage",
    "swap · give 250 USDT · get ETH · slippage 100",
  ],
  [
    "Pague 80 DAI para bob.eth e depois deposite 200 USDC na Aave",
    "transfer · give 80 DAI · to bob.eth ; supply/stake/wrap/add_liquidity/bridge/transfer · give 200 USDC · venue aave_v3",
  ],
  [
    "Mets 3 ETH en staking chez Lido",
    "supply/stake/wrap/add_liquidity/bridge/transfer · give 3 ETH · venue lido",
  ],
  [
    "Vends 500 USDC contre de l'ETH, avec 0,5 % de slippage max",
    "swap/sell_nft · give 500 USDC · get ETH · slippage 50",
  ],
  [
    "Ich würde gerne 250 USDC bei Aave einzahlen",
    "supply/stake/wrap/add_liquidity/bridge/transfer · give 250 USDC · venue aave_v3",
  ],
  ["Schick bitte die Hälfte meiner DAI an {A}", "transfer · give 5000bps-of-balance DAI · to 0x11"],
  ["请帮我把 3000 USDT 转到 {A}", "transfer · give 3000 USDT · to 0x11"],
  [
    "在 Aave 上借 200 USDC，然后转给 bob.eth",
    "borrow · get 200 USDC · venue aave_v3 ; transfer · give USDC · to bob.eth",
  ],
];

describe("five further languages are read", () => {
  test.each(sentences)("%s", (sentence, read) => {
    expect(summary(sentence.replaceAll("{A}", A).replaceAll("{B}", B).replaceAll("{C}", C))).toBe(read);
  });
});
