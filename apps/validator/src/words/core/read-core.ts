/**
 * Reads a text that asks for one act, whatever is written around it. A request with one amount, one address and one network has
 * nothing that could be attached to the wrong place, so the places of its values need not be parsed: it is enough that each
 * value has a marker of its role, that the act is asked for, and that every other word is shown to be harmless.
 * The result is a sentence of the canonical form; the grammar reads that sentence.
 */
import type { Span } from "../../intent.ts";
import type { Item } from "../items.ts";
import type { Lexicon } from "../lexicon.ts";
import { findMisplaced } from "./check-order.ts";
import { findFrame } from "./check-story.ts";
import { findUnasked, type Taken } from "./find-unasked.ts";
import { findLateAct } from "./find-late-act.ts";
import { findStrangePart } from "./find-strange-part.ts";
import { findUnread, isLabel, type Position } from "./check-words.ts";
import { ClauseWords, FORMULAS } from "./clause-words.ts";
import { clausesOf, type Clause } from "./clauses.ts";
import { endsAt, phraseFrame, type Values } from "./frames.ts";
import { readForm } from "./form.ts";
import { verbs, type Class, type Grammar, type Verb } from "./grammar.ts";
import { english } from "./lexicon/en.ts";
import { spanish } from "./lexicon/es.ts";
import { portuguese } from "./lexicon/pt.ts";
import { french } from "./lexicon/fr.ts";
import { german } from "./lexicon/de.ts";
import { chinese } from "./lexicon/zh.ts";
import type { Part } from "./parts.ts";
import { findChange, findForeign, segment } from "./segment.ts";
import { isValue, tokensAround, tokensOf, type Token } from "./tokens.ts";
import { sameDecimal } from "../numbers.ts";

const grammars: Readonly<Record<string, Grammar | undefined>> = {
  en: english,
  es: spanish,
  pt: portuguese,
  fr: french,
  de: german,
  zh: chinese,
};

/** The sentence that the text asks for, where it asks, and where the story before it ends. */
export type Core = { readonly parts: readonly Part[]; readonly asked: Span; readonly told: number };
/** The first word that is not shown to be harmless; null if the values do not fit the act. */
export type Unread = { readonly unread: Token | null };

export type Text = { readonly text: string; readonly items: readonly Item[]; readonly language: string };

/** The tokens of a text in a language that this reader has, or why there are none. */
export function wordsIn(
  { text, items, language }: Text,
  lexicon: Lexicon,
): { readonly grammar: Grammar; readonly tokens: readonly Token[] } | Unread {
  const grammar = grammars[language];
  const found = tokensOf(text, items, lexicon);
  if (grammar === undefined || found === null) return { unread: null };
  if (grammar.words === null) return { grammar, tokens: found };
  const { tokens, unread } = segment(text, found, grammar.words);
  return unread === null ? { grammar, tokens } : { unread };
}

export function readCore(given: Text, lexicon: Lexicon): Core | Unread {
  const words = wordsIn(given, lexicon);
  if ("unread" in words) return words;
  const { grammar, tokens } = words;
  const form = grammar.words === null ? readForm(tokens, given.language, grammar) : null;
  return form === null
    ? readTokens(withAmount(tokens, grammar), grammar)
    : { parts: form, asked: [0, given.text.length], told: 0 };
}

function readTokens(tokens: readonly Token[], grammar: Grammar): Core | Unread {
  const values = valuesOf(tokens);
  const clauses = clausesOf(tokens, grammar);
  const asked = values === null ? null : findAct(clauses, values, grammar);
  if (values === null || asked === null) return { unread: null };
  const unread =
    (grammar.needsVerb ? null : findUnasked(clauses, NONE, grammar)) ??
    findStrangePart(clauses, grammar) ??
    findInTail(clauses, grammar) ??
    findUnreadIn(clauses, asked, values, grammar) ??
    findMisplaced(clauses, asked, grammar);
  const parts = unread === null ? phraseFrame(asked.verb ?? "pay", values, clauses, grammar) : null;
  return parts === null
    ? { unread }
    : { parts, asked: placeOf(clauses[asked.clause], asked), told: endOfTold(clauses, asked) };
}

/**
 * The first word around the request that is not shown to be harmless, for a text that is read in another way. The request begins with the
 * first clause that names money, a party or an act, and ends with the last.
 */
export function findAroundRequest(
  { text, items, language }: Text,
  taken: Taken,
  lexicon: Lexicon,
): { readonly text: string; readonly span: Span } | null {
  const grammar = grammars[language];
  if (grammar === undefined) return null;
  const tokens = tokensAround(items, lexicon);
  const unread =
    grammar.words === null
      ? findAround(clausesOf(tokens, grammar), taken, grammar)
      : (findChange({ text, tokens, isTaken: taken.asValue }, grammar.words) ??
        findForeign(
          tokens.filter((token) => !taken.asTerm(token) && !taken.asAct(token)),
          grammar.words,
        ));
  return unread === null ? null : { text: unread.text, span: [unread.start, unread.end] };
}

function findAround(clauses: readonly Clause[], taken: Taken, grammar: Grammar): Token | null {
  const names = ({ tokens }: Clause): boolean => {
    const words = new ClauseWords(tokens, grammar, []);
    return tokens.some((token, at) => token.kind !== "asset" && isNamed(words, at, taken));
  };
  const first = clauses.findIndex(names);
  const last = clauses.findLastIndex(names);
  const isHeading = ({ tokens: words, end }: Clause): boolean => end === "mark" && !words.some(isValue);
  const framed = clauses
    .filter((clause, at) => at < first || isHeading(clause))
    .map((clause) => findFrame(clause, grammar))
    .find((token) => token !== null);
  const tails = tailsOf(clauses[last] ?? NOTHING, taken, grammar);
  const changed = [...tails, ...clauses.slice(last + 1)]
    .map((clause) => findChanging(clause, taken, grammar))
    .find((token) => token !== null);
  const around = [
    ...clauses.map((clause, at) => (at > last ? withoutTerms(clause, taken) : NOTHING)),
    ...tails.map((clause) => withoutTerms(clause, taken)),
  ];
  const asked: Asked = { clause: last, at: -1, verb: null };
  return (
    framed ??
    changed ??
    findUnasked(clauses, taken, grammar) ??
    findReport(clauses, grammar) ??
    findLateAct(clauses, taken, grammar) ??
    findStrangePart(clauses, grammar) ??
    findUnreadIn(around, asked, { money: [] }, grammar)
  );
}

/** A phrase or a preposition that changes what it is next to, unless it is a value of a step: "in a couple of hours", "in a perfect world". */
function findChanging({ tokens }: Clause, { asValue, asParty }: Taken, grammar: Grammar): Token | null {
  const words = new ClauseWords(tokens, grammar, []);
  const isRead = (part: readonly Token[]): boolean => part.some((token) => asValue(token) || asParty(token));
  const placed = words
    .parts()
    .map((part) => (isRead(tokens.slice(part.from, part.to)) ? null : words.placed(part)))
    .find((token) => token !== null);
  const rest = words.rest(0, words.length, (at) => {
    const length = words.changes(at) ? words.is(at, "frames", "neg") : 0;
    const isTaken = tokens.slice(at, at + length).every(asValue);
    return isTaken ? Math.max(1, words.is(at, ...FORMULAS, "ask", "please")) : 0;
  });
  return placed ?? rest;
}

/** Terms are compared by the other reading. */
const withoutTerms = ({ tokens, end }: Clause, { asTerm }: Taken): Clause => ({
  tokens: tokens.filter((token) => !asTerm(token)),
  end,
});

const isPartEnd = ({ kind, low }: Token): boolean => kind === "mark" && /^[,，、(（[]$/u.test(low);

/** A value, or a verb of a step that is not also a word that takes the request back, or its object: "withdrawn", "minus the tip". */
function isNamed(words: ClauseWords, at: number, { asAct }: Taken): boolean {
  const token = words.at(at);
  if (token === null) return false;
  if (isValue(token) || token.kind === "other") return true;
  const isObject = words.is(at - 1, "det", "poss") > 0 && words.isInChange(at - 2);
  return asAct(token) && !isObject && !words.isInChange(at);
}

/** The parts of the request's last clause that follow its last value, act or term: they are held to the rules of a sentence after it. */
function tailsOf({ tokens, end }: Clause, taken: Taken, grammar: Grammar): readonly Clause[] {
  const words = new ClauseWords(tokens, grammar, []);
  const last = tokens.findLastIndex((token, at) => isNamed(words, at, taken) || taken.asValue(token));
  const from = tokens.findIndex((token, at) => at > last && isPartEnd(token));
  return from < 0 ? [] : [{ tokens: tokens.slice(from + 1), end }];
}

/** "Send 5 ETH to 0x…, in a perfect world." What begins with "to" can be a purpose: ", to say thanks", ", para el alquiler". */
export function findInTail(clauses: readonly Clause[], grammar: Grammar): Token | null {
  const last = clauses.findLast(({ tokens }) => tokens.some(isValue)) ?? NOTHING;
  const [tail] = tailsOf(last, NONE, grammar);
  if (tail === undefined) return null;
  const words = new ClauseWords(tail.tokens, grammar, []);
  if (words.is(words.start(0), "to") > 0) return null;
  // In Chinese the segmentation has checked each word.
  return words.isUnspaced ? words.placed(words.whole) : findUnread(tail, AFTER, grammar);
}

/** "Envié 5 ETH a …", "5 ETH went to …": the verb of a clause with values, in a form that reports the past. */
function findReport(clauses: readonly Clause[], grammar: Grammar): Token | null {
  const isVerb = (tokens: readonly Token[], at: number): boolean => {
    const token = tokens[at];
    return (token?.kind === "word" && token.acts) || grammar.phraseAt(tokens, at, verbs) > 0;
  };
  const isAsked = clauses.some(({ tokens }) => tokens.some((_, at) => isVerb(tokens, at)));
  const isReport = (tokens: readonly Token[], at: number): boolean =>
    isVerb(tokens, at)
      ? grammar.phraseAt(tokens, at, verbs) === 0 && grammar.isPast(tokens, at)
      : !isAsked &&
        new ClauseWords(tokens, grammar, []).isPredicate(at) &&
        grammar.phraseAt(tokens, at, ["states"]) === 0;
  const found = clauses
    .filter(({ tokens }) => tokens.some(({ kind }) => kind === "money"))
    .flatMap(({ tokens }) => tokens.filter((_, at) => isReport(tokens, at)));
  return found[0] ?? null;
}

export const NONE: Taken = {
  isOneStep: true,
  asAct: () => false,
  asValue: () => false,
  asParty: () => false,
  asTerm: () => false,
};
const AFTER: Position = { isBefore: false, act: -1, isSigned: false, isLabelled: false, money: [] };
const NOTHING: Clause = { tokens: [], end: "sentence" };

const placeOf = (clause: Clause | undefined, { at }: Asked): Span => {
  const token = clause?.tokens[Math.max(0, at)];
  return [token?.start ?? 0, token?.end ?? 0];
};

/** Where the last finished sentence before the request ends. A label belongs to the request. */
function endOfTold(clauses: readonly Clause[], asked: Asked): number {
  const told = clauses.findLastIndex(({ end }, at) => at < asked.clause && end !== "mark");
  return clauses[told]?.tokens.at(-1)?.end ?? 0;
}

function findUnreadIn(
  clauses: readonly Clause[],
  asked: Asked,
  { money }: Pick<Values, "money">,
  grammar: Grammar,
): Token | null {
  let isSigned = false;
  for (const [at, clause] of clauses.entries()) {
    const act = at === asked.clause && asked.verb !== null ? asked.at : -1;
    const isLabelled = isLabel(clauses[at - 1] ?? NOTHING, grammar);
    const position = { isBefore: at < asked.clause, act, isSigned, isLabelled, money };
    const unread = findUnread(clause, position, grammar);
    if (unread !== null) return unread;
    isSigned ||= at > asked.clause && grammar.phraseAt(clause.tokens, 0, ["thanks", "greet"]) > 0;
  }
  return null;
}

/** "Token: USDT, amount: 415": the only asset is what the amount counts. */
export function withAmount(tokens: readonly Token[], grammar: Grammar): readonly Token[] {
  const assets = new Set(
    tokens.flatMap((token) => (token.kind === "asset" || token.kind === "money" ? [token.asset] : [])),
  );
  const [asset, ...others] = assets;
  if (asset === undefined || others.length > 0 || tokens.some(({ kind }) => kind === "money")) return tokens;
  const isAmount = (at: number): boolean =>
    endsAt(tokens, at, "amount", grammar) || endsAt(tokens, at, "allowance", grammar);
  return tokens.map((token, at) =>
    token.kind === "number" && token.isExact && isAmount(tokens[at - 1]?.kind === "mark" ? at - 1 : at)
      ? { ...token, kind: "money", asset }
      : token,
  );
}

export type Asked = { readonly clause: number; readonly at: number; readonly verb: Verb | null };

/** The first verb whose place shows that it is asked for; without one, the first clause that names money. */
function findAct(clauses: readonly Clause[], { money }: Values, grammar: Grammar): Asked | null {
  for (const [clause, { tokens, end }] of clauses.entries())
    for (const [at] of tokens.entries()) {
      const length = grammar.phraseAt(tokens, at, verbs);
      const verb = verbs.find((one) => length > 0 && grammar.phraseAt(tokens, at, [one]) === length);
      const isOpen = end === "mark" || end === "line";
      const object = isOpen ? clauses.slice(clause).flatMap((one) => one.tokens) : tokens;
      const isChanged = grammar.phraseAt(tokens, at, ["frames", "neg"]) > length;
      if (verb === undefined || isChanged || !object.some(isValue)) continue;
      const lead: Clause = { tokens: tokens.slice(0, at + length), end: "sentence" };
      if (
        findUnread(lead, { isBefore: true, act: at, isSigned: false, isLabelled: false, money }, grammar) ===
        null
      )
        return { clause, at, verb };
    }
  if (grammar.needsVerb && !isForm(clauses, grammar)) return null;
  const clause = clauses.findIndex(({ tokens }) => tokens.some(({ kind }) => kind === "money"));
  return clause < 0 ? null : { clause, at: -1, verb: null };
}

/** "收款地址：0x…", "金额：5 ETH": fields that name the money and its recipient; or a phrase that asks for what is listed. */
function isForm(clauses: readonly Clause[], grammar: Grammar): boolean {
  const isField = (cls: Class, kind: Token["kind"]): boolean =>
    clauses.some(
      ({ tokens, end }, at) =>
        end === "mark" &&
        grammar.phraseAt(tokens, 0, [cls]) === tokens.length &&
        clauses[at + 1]?.tokens[0]?.kind === kind,
    );
  const isAsked = clauses.some(({ tokens }) =>
    tokens.some((_, at) => grammar.phraseAt(tokens, at, ["go"]) > 0),
  );
  return isField("amount", "money") && (isField("to", "address") || (isAsked && isField("own", "address")));
}

/** Null if two networks or two addresses are named. */
export function valuesOf(tokens: readonly Token[]): Values | null {
  const of = <Kind extends Token["kind"]>(kind: Kind) =>
    tokens.filter((token): token is Extract<Token, { kind: Kind }> => token.kind === kind);
  const money = unique(of("money"), (a, b) => a.asset === b.asset && sameDecimal(a.amount, b.amount));
  const [chain = null, ...chains] = unique(of("chain"), (a, b) => a.chain === b.chain);
  const [address = null, ...addresses] = unique(of("address"), (a, b) => a.address === b.address);
  if (chains.length > 0 || addresses.length > 0) return null;
  return {
    money,
    address,
    chain,
    venues: unique(of("venue"), (a, b) => a.venue === b.venue),
    assets: unique(of("asset"), (a, b) => a.asset === b.asset),
    rates: of("rate"),
  };
}

const unique = <T>(list: readonly T[], isSame: (a: T, b: T) => boolean): readonly T[] =>
  list.filter((one, at) => list.findIndex((other) => isSame(other, one)) === at);
