/**
 * Finds whether someone who accepts a signed text could move money with it. An order needs an amount, an asset, a party or a verb,
 * so a text without them is harmless. Anything that could be one of them counts.
 */
import type { Registry } from "../registry.ts";

/** Verbs and nouns of orders, by the beginning of the word, in the languages that the validator reads. */
const orders = [
  // English
  ..."transfer|send|sent|pay|paid|approv|allow|permi|authori|grant|spend|withdraw|deposit|swap|trade|trading|sell".split(
    "|",
  ),
  ..."sold|buy|bought|purchas|order|offer|bid|claim|mint|burn|stak|unstak|borrow|repa|lend|loan|bridg|delegat|revok".split(
    "|",
  ),
  ..."vote|votin|owner|admin|operator|spender|recipient|beneficiar|amount|fund|balance|asset|token|coin|currenc|price".split(
    "|",
  ),
  ..."redeem|refund|liquidat|collateral|vault|custod|escrow|move|release|unlock|drain|sweep|everything|whole".split(
    "|",
  ),
  // Spanish, Portuguese, French
  ..."env[ií]|pag[auo]|aprob|aprov|approuv|autoris|autoriz|gast|retir|vend|compr|achet|d[eé]l[eé]g|fondo|fundo|fonds".split(
    "|",
  ),
  ..."saldo|solde|cantidad|quantia|montant|prest|pr[eê]t|emprest|emprunt|transf|envoy|pai|permet|d[eé]pens|todo|tout".split(
    "|",
  ),
  // German
  ..."überweis|ueberweis|send|zahl|genehm|erlaub|abheb|einzahl|verkauf|kauf|tausch|guthaben|übertrag|vollmacht|betrag|alles".split(
    "|",
  ),
];
const order = new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${orders.join("|")})\p{L}*`, "iu");
const chineseOrder = /[转轉付款批准授权權允许許提取存卖賣买買换換委托资資金额額币幣全部]/u;

type Sign = { readonly pattern: RegExp; readonly why: string };

const signs: readonly Sign[] = [
  // Letters, punctuation and spaces are shown as they are. Other characters may hide or reorder something.
  { pattern: /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u, why: "it has characters that are not shown" },
  { pattern: /\p{N}/u, why: "it has a number, which may be an amount or an id" },
  { pattern: /\p{Sc}/u, why: "it has the sign of a currency" },
  { pattern: /[\p{L}_=+/-]{32,}/u, why: "it has a code that is not words" },
  { pattern: /\.eth(?!\p{L})/iu, why: "it names an account" },
  { pattern: order, why: "it has words of an order" },
  { pattern: chineseOrder, why: "it has words of an order" },
  // Orders are recognised in these scripts only.
  { pattern: /(?!\p{Script=Latin}|\p{Script=Han})\p{L}/u, why: "it is in a script that we do not read" },
];

const ordinary = /^(?:a|i|an|as|at|be|by|do|go|he|if|in|is|it|me|my|no|of|on|or|so|to|up|us|we|ethereum)$/i;

/** A symbol in capital letters, or a word that is a symbol and no English word. */
function namesAsset(text: string, registry: Registry): boolean {
  return [...text.matchAll(/[\p{L}\p{N}$]+/gu)].some(([word]) => {
    if (ordinary.test(word) || !registry.isSymbol(word)) return false;
    return !registry.isEnglish(word) || (word.length > 2 && word === word.toUpperCase());
  });
}

/** Returns why the text may move money, as a clause. Null if nothing in it can be part of an order. */
export function whyItMayMove(text: string, registry: Registry): string | null {
  const shown = text.replaceAll(/[\n\t]/g, " ");
  const found = signs.find(({ pattern }) => pattern.test(shown));
  if (found !== undefined) return found.why;
  return namesAsset(shown, registry) ? "it names an asset" : null;
}
