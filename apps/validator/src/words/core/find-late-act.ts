/**
 * Finds an act that comes after the values and has none of its own: "8 USDC to 0x…, put that into Polish". The grammar gives it the values
 * before it. It may only say that they are to be paid: "please send it", "make the payment".
 */
import { ClauseWords, FORMULAS } from "./clause-words.ts";
import type { Clause } from "./clauses.ts";
import type { Taken } from "./find-unasked.ts";
import { verbs, type Class, type Grammar } from "./grammar.ts";
import { isValue, type Token } from "./tokens.ts";

const ALLOWED: readonly Class[] = [
  ...FORMULAS,
  ...verbs,
  ...(["ask", "please", "it", "pron", "det", "poss", "allowance", "own", "therefore"] as const),
];
const VALUES = new Set<Token["kind"]>(["number", "rate", "id", "other"]);

export function findLateAct(clauses: readonly Clause[], taken: Taken, grammar: Grammar): Token | null {
  // A step of its own is compared with the transaction.
  if (!taken.isOneStep) return null;
  const parts = clauses.flatMap(({ tokens }) => partsOf(new ClauseWords(tokens, grammar, [])));
  const valued = parts.findIndex(({ tokens }) => has(tokens, "money", "address"));
  if (valued < 0) return null;
  const isPaid = parts.slice(0, valued + 1).some(({ tokens }) => has(tokens, "address"));
  const isOwn = (token: Token): boolean =>
    isValue(token) || VALUES.has(token.kind) || isRead(token, taken) || (!isPaid && taken.asParty(token));
  const late = parts
    .slice(valued + 1)
    .filter(({ tokens }) => tokens.some(taken.asAct) && !tokens.some(isOwn));
  return late.map(findOther).find((token) => token !== null) ?? null;
}

const has = (tokens: readonly Token[], ...kinds: readonly Token["kind"][]): boolean =>
  tokens.some(({ kind }) => kinds.includes(kind));

const partsOf = (words: ClauseWords): readonly ClauseWords[] =>
  words.parts().map(({ from, to }) => words.only(words.tokens.slice(from, to)));

const isRead = (token: Token, { asValue, asAct }: Taken): boolean => asValue(token) && !asAct(token);

/** The first word that says more. "Execute the payment" names what is paid; "withdraw the order" does not ask for it. */
function findOther(words: ClauseWords): Token | null {
  const isPaying = words.has(0, words.length, (at) => words.is(at, "pay") > 0);
  return words.rest(0, words.length, (at) => {
    if (words.changes(at)) return 0;
    return words.is(at, ...ALLOWED, ...(isPaying ? (["request"] as const) : [])) || Number(words.isPause(at));
  });
}
