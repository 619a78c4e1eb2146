/**
 * Finds the first word that a text without an act may not hold. "5 ETH to 0x…, rent" asks, because it is a list of values and their names.
 * With a verb it can say anything: "5 ETH to 0x…, paid by Ana".
 */
import { ClauseWords } from "./clause-words.ts";
import type { Clause } from "./clauses.ts";
import type { Class, Grammar } from "./grammar.ts";
import type { Money, Token } from "./tokens.ts";

/** Names of values, and how they are joined. */
const LISTED: readonly Class[] = ["least", "label", "amount", "explains", "gets"];
/** "That's for the rent": with nothing but names it says what the values are. */
const IS: readonly Class[] = ["it", "cop"];

/** Another reading takes the token as a verb of its steps, as a value of a step, as its party, or as a value or the word before it. */
export type Taken = {
  /** The reading has no step but one. */
  readonly isOneStep: boolean;
  readonly asAct: (token: Token) => boolean;
  readonly asValue: (token: Token) => boolean;
  readonly asParty: (token: Token) => boolean;
  readonly asTerm: (token: Token) => boolean;
};

export function findUnasked(clauses: readonly Clause[], taken: Taken, grammar: Grammar): Token | null {
  const all = clauses.map(({ tokens }) => new ClauseWords(tokens, grammar, moneyIn(tokens)));
  if (all.some((words) => words.has(0, words.length, (at) => asks(words, at, taken)))) return null;
  return all.map((words) => findUnlisted(words, taken)).find((token) => token !== null) ?? null;
}

const moneyIn = (tokens: readonly Token[]): readonly Money[] =>
  tokens.filter((token): token is Money => token.kind === "money");

/** A phrase that asks, or a verb that is no noun: "Das Senden von 5 ETH" names an act and asks for none. */
function asks(words: ClauseWords, at: number, { asAct }: Taken): boolean {
  if (words.is(at, "go", "please", "ask") > 0) return true;
  const token = words.at(at);
  const isNoun =
    words.is(at - 1, "det", "poss", "of", "from", "prep") > 0 && words.is(at - 1, "to", "ask") === 0;
  return !isNoun && (words.isAct(at) || (token !== null && asAct(token)));
}

function findUnlisted(words: ClauseWords, { asTerm }: Taken): Token | null {
  const isAbout = words.is(words.start(0), "it") > 0;
  return words.rest(0, words.length, (at) => {
    const token = words.at(at);
    const isListed = words.isName(at) || (token !== null && asTerm(token));
    return words.plain(at, ...LISTED, ...(isAbout ? IS : [])) || words.counts(at) || Number(isListed);
  });
}
