/**
 * Checks of a language that has no endings and no articles. There word order and small words say who acts, whether
 * something is a fact or a condition, and whether a verb is asked for. Each rule leaves unread what it cannot decide.
 */
import type { Clause } from "./clauses.ts";
import { verbs, type Class, type Grammar, type Verb } from "./grammar.ts";
import { isValue, type Token } from "./tokens.ts";

type Asked = { readonly clause: number; readonly at: number; readonly verb: Verb | null };
type Rule = (clause: Clause, place: Place, grammar: Grammar) => Token | null;
/** `act`: where the verb of the request is, -1 in another clause. */
type Place = { readonly act: number; readonly isBefore: boolean; readonly verb: Verb | null };

export function findMisplaced(clauses: readonly Clause[], asked: Asked, grammar: Grammar): Token | null {
  if (grammar.words === null) return null;
  for (const [index, clause] of clauses.entries()) {
    const act = index === asked.clause && asked.verb !== null ? asked.at : -1;
    const place = { act, isBefore: index < asked.clause, verb: asked.verb };
    for (const rule of rules) {
      const unread = rule(clause, place, grammar);
      if (unread !== null) return unread;
    }
  }
  return findSecondParty(clauses, grammar);
}

const find = ({ tokens }: Clause, isIt: (at: number) => boolean): Token | null =>
  tokens.find((_, at) => isIt(at)) ?? null;
const isA = ({ tokens }: Clause, at: number, grammar: Grammar, ...wanted: readonly Class[]): boolean =>
  at >= 0 && grammar.phraseAt(tokens, at, wanted) > 0;

/** "我撤回", "昨天转的": a verb of a request other than the one that is asked for. A trade has two: "卖出 1 WETH 换 DAI". */
const otherVerb: Rule = (clause, { act, verb }, grammar) =>
  find(clause, (at) => {
    if (at === act || !isA(clause, at, grammar, ...verbs) || isA(clause, at, grammar, "allowance", "done"))
      return false;
    const isTrade = act >= 0 && (verb === "convert" || verb === "unwrap") && at > act;
    return !(isTrade && isA(clause, at, grammar, "convert"));
  });

/** "换一个": a trade names what it gives or gets right after the verb. */
const openTrade: Rule = (clause, _, grammar) =>
  find(clause, (at) => {
    const next = clause.tokens.findIndex(
      (_token, index) => index > at && !isA(clause, index, grammar, "filler"),
    );
    return isA(clause, at, grammar, "convert") && !isValueAt(clause, next);
  });
const isValueAt = ({ tokens }: Clause, at: number): boolean => {
  const token = tokens[at];
  return token !== undefined && isValue(token);
};

/** A least amount belongs to a trade, zero to an allowance. */
const otherTerm: Rule = (clause, { verb }, grammar) =>
  find(
    clause,
    (at) =>
      (verb !== "convert" && isA(clause, at, grammar, "least")) ||
      (verb !== "revoke" && isA(clause, at, grammar, "zero")),
  );

/** "转 5 ETH 吧？": a suggestion. */
const suggestion: Rule = (clause, _, grammar) =>
  clause.end === "question"
    ? find(clause, (at) => grammar.words?.suggests.has(clause.tokens[at]?.low ?? "") === true)
    : null;

/** "给小王" says something of a payment only. */
const otherParty: Rule = (clause, { verb }, grammar) =>
  find(
    clause,
    (at) =>
      verb !== null &&
      verb !== "pay" &&
      isA(clause, at, grammar, "to") &&
      grammar.words?.directs(clause.tokens[at]?.low ?? "") === true &&
      !isValueAt(clause, at + 1) &&
      !isA(clause, at + 1, grammar, "own", "poss", "pron"),
  );

/** "小王给", "他收到了", "请小王": what another person does, did, or is asked for. */
const otherActor: Rule = (clause, _, grammar) =>
  find(clause, (at) => {
    const isOther = grammar.isPerson(clause.tokens, at) || isA(clause, at, grammar, "pron");
    return (
      isOther && (isA(clause, at + 1, grammar, "takes", "past", "and") || isA(clause, at - 1, grammar, "ask"))
    );
  });

const LEAD: readonly Class[] = ["ask", "please", "filler", "greet", "thanks", "therefore"];
/** "小王昨天请转", "…，能不能": a word that asks begins the request, at the start of a part of the sentence. */
const askedInside: Rule = (clause, { act, isBefore }, grammar) =>
  find(clause, (at) => {
    if (!isA(clause, at, grammar, "ask", "please")) return false;
    if (isBefore) return !isFormula(clause, grammar);
    const before = clause.tokens[at - 1];
    const isFirst = before === undefined || before.kind === "mark" || isA(clause, at - 1, grammar, ...LEAD);
    return at > act || !isFirst;
  });

const isFormula = (clause: Clause, grammar: Grammar): boolean =>
  clause.tokens.every(({ kind }, at) => kind === "mark" || isA(clause, at, grammar, ...LEAD));

/** "上" belongs to a network or a venue. "书上" quotes. */
const withoutPlace: Rule = (clause, _, grammar) =>
  find(clause, (at) => {
    const [token, before] = [clause.tokens[at], clause.tokens[at - 1]];
    const isPlaced =
      before !== undefined &&
      (isValue(before) ||
        before.kind === "mark" ||
        before.kind === "rate" ||
        isA(clause, at - 1, grammar, "own"));
    return token?.kind === "word" && grammar.words?.follows.has(token.low) === true && !isPlaced;
  });

/** "小王：转…" is a line of a chat, "英语课：" an exercise. A label before the request names a field, a purpose or the reader. */
const label: Rule = (clause, { isBefore, act }, grammar) => {
  if (!isBefore || act >= 0 || clause.end !== "mark" || clause.tokens.some(isValue)) return null;
  const last = clause.tokens.length - 1;
  const isField =
    isA(clause, last, grammar, "own", "to", "from", "explains", "amount", "greet", "thanks", "filler") ||
    grammar.words?.labels(clause.tokens[last]?.low ?? "") === true;
  return isField ? null : (clause.tokens[0] ?? null);
};

const rules: readonly Rule[] = [
  otherVerb,
  openTrade,
  otherTerm,
  suggestion,
  otherParty,
  otherActor,
  askedInside,
  withoutPlace,
  label,
];

/** "转到 0x…，给小王": the second word that says where the money goes. */
function findSecondParty(clauses: readonly Clause[], grammar: Grammar): Token | null {
  const [, second = null] = clauses.flatMap((clause) =>
    clause.tokens.filter(
      ({ low }, at) => isA(clause, at, grammar, "to", ...verbs) && grammar.words?.directs(low) === true,
    ),
  );
  return second;
}
