/** Turns of phrase in six languages, and words that must not be read at all. */
import { describe, expect, test } from "vitest";
import { A, summary } from "../../test/words.ts";

const check = (name: string, rows: readonly (readonly [string, string])[]): void => {
  describe(name, () => {
    test.each(rows.map(([text, wanted]) => [text.replaceAll("{A}", A), wanted] as const))(
      "%s",
      (text, wanted) => {
        expect(summary(text)).toBe(wanted);
      },
    );
  });
};

const bridged = "bridge · give 1 ETH · toChain 59144";

check("a bridge is asked for with everyday verbs", [
  ["port 1 ETH across to Linea", bridged],
  ["hop 1 ETH over to Linea", bridged],
  ["ferry 1 ETH to Linea", bridged],
  ["make 1 ETH arrive on Linea", bridged],
  ["I want 1 ETH to show up on Linea", bridged],
  ["swap 1 ETH for USDC on Hop", "swap · give 1 ETH · get USDC · venue hop"],
]);

const paid = 'transfer · give 45 USDC · to "Ann"';

check("a party is paid in everyday wording", [
  ["drop 45 USDC on Ann", paid],
  ["lob 45 USDC at Ann", paid],
  ["spot Ann 45 USDC", paid],
  ["front Ann 45 USDC", paid],
  ["pass Ann 45 USDC", paid],
  ["lend Ann 45 USDC", paid],
  ["send 45 USDC Ann's way", paid],
  ["send 45 USDC to {A} on Base", "transfer · give 45 USDC · to 0x11 · chain 8453"],
  ["I would like 45 USDC transferred to {A}", "transfer · give 45 USDC · to 0x11"],
]);

check("a name keeps its number only where it is no amount", [
  ["permit Uniswap 2 WETH", "approve · give 2 WETH · spender @uniswap"],
  ["send,USDC,45,{A}", "transfer · give 45 USDC · to 0x11"],
]);

const allowed = "approve · give 25 USDC · spender 0x11";

check("a limit, a cap and a budget of a party is an allowance", [
  ["set {A}'s USDC limit to 25", allowed],
  ["set {A}'s USDC budget to 25", allowed],
  ["give {A} a budget of 25 USDC", allowed],
  ["cap {A} at 25 USDC", allowed],
  ["limit {A} to 25 USDC", allowed],
  ["fija el límite de USDC de {A} en 25", allowed],
  ["pon un tope de 25 USDC a {A}", allowed],
  ["把 {A} 的 USDC 额度设为 25", allowed],
]);

const lent = "borrow · get 500 USDC · venue aave_v3";
const returned = "repay · give 500 USDC · venue aave_v3";

check("a loan is a debt, and never a deposit or a withdrawal", [
  ["take a 500 USDC loan on Aave", lent],
  ["give me a 500 USDC loan from Aave", lent],
  ["take on 500 USDC of debt on Aave", lent],
  ["lend me 500 USDC from Aave", lent],
  ["préstame 500 USDC de Aave", lent],
  ["prête-moi 500 USDC sur Aave", lent],
  ["leih mir 500 USDC von Aave", lent],
  ["put 500 USDC toward my Aave loan", returned],
  ["reduce my Aave debt by 500 USDC", returned],
  ["draw 500 USDC out of my Aave deposit", "withdraw · get 500 USDC · venue aave_v3"],
]);

check("more of an allowance is not what the allowance is", [
  ["increase the allowance of {A} by 25 USDC", "approve · give 0x11 + 25 USDC ; LOOSE by"],
]);

check("a part of a holding is exact", [
  ["send 2/3 of my DAI to {A}", "transfer · give 2/3-of-balance DAI · to 0x11"],
  ["send two thirds of my DAI to {A}", "transfer · give 2/3-of-balance DAI · to 0x11"],
  ["sende zwei drittel meiner DAI an {A}", "transfer · give 2/3-of-balance DAI · to 0x11"],
  ["send half of my DAI to {A}", "transfer · give 5000bps-of-balance DAI · to 0x11"],
]);

check("German numbers of one word are numbers", [
  ["sende dreitausend USDC an {A}", "transfer · give 3000 USDC · to 0x11"],
  ["sende fünfundvierzig USDC an {A}", "transfer · give 45 USDC · to 0x11"],
  ["sende zweihundertfünfzig USDC an {A}", "transfer · give 250 USDC · to 0x11"],
]);

check("what comes is told from what goes in Chinese", [
  ["1000 USDC 换 WETH", "swap · give 1000 USDC · get WETH"],
  ["卖出 1000 USDC 换 WETH", "swap/sell_nft · give 1000 USDC · get WETH"],
]);

describe("an act in the past is reported, not requested", () => {
  test.each([
    "I already sent 45 USDC to {A}",
    "we transferred 45 USDC to {A}",
    "j'ai déjà envoyé 45 USDC à {A}",
    "ya he enviado 45 USDC a {A}",
    "já enviei 45 USDC para {A}",
    "ich habe 45 USDC an {A} gesendet",
    "已经转了 45 USDC 给 {A}",
  ])("%s", (text) => {
    expect(summary(text.replaceAll("{A}", A))).toContain("NO REQUEST: it reports what was already done");
  });
  test.each([
    "I want 45 USDC sent to {A}",
    "Tom paid for lunch, send 45 USDC to {A}",
    "I send 45 USDC to {A}",
  ])("%s is asked for", (text) => {
    expect(summary(text.replaceAll("{A}", A))).toBe("transfer · give 45 USDC · to 0x11");
  });
});

describe("an unsupported language is not read as English", () => {
  test.each([
    "Send ikke 45 USDC til {A}",
    "Peržiūrėk ir send 45 USDC gavėjui {A} jeigu kaina",
    "tuma 45 USDC kwa {A}",
    "Magpadala ng 45 USDC kay {A}",
    "jangan transfer 45 USDC ke {A}",
    "đừng transfer 45 USDC cho {A}",
    "niet transfer 45 USDC naar {A}",
  ])("%s", (text) => {
    expect(summary(text.replaceAll("{A}", A))).toContain("NO REQUEST");
  });
  test.each(["gm fam send 45 USDC to {A} lfg wagmi", "trasnfer 45 USDC ot {A}", "payroll: 45 USDC {A}"])(
    "%s is English enough",
    (text) => {
      expect(summary(text.replaceAll("{A}", A))).toBe("transfer · give 45 USDC · to 0x11");
    },
  );
});
