/**
 * Shows that everything around the values asks for the act and cannot take it back. Every word must be of a class that its place
 * allows; the first that is not is returned. Nothing counts as a request because no list forbids it.
 */
import { ClauseWords, FORMULAS, SMALL, type Part } from "./clause-words.ts";
import { findInStory, says } from "./check-story.ts";
import type { Clause } from "./clauses.ts";
import { verbs, type Class, type Grammar } from "./grammar.ts";
import { isValue, type Money, type Token } from "./tokens.ts";

export type Position = {
  /** Where the verb of the request begins in this clause, or -1. */
  readonly act: number;
  readonly isBefore: boolean;
  /** After a sign-off, where a name is expected. */
  readonly isSigned: boolean;
  /** After a label and a colon. */
  readonly isLabelled: boolean;
  readonly money: readonly Money[];
};

/** Classes that an act may follow. */
const LEAD: readonly Class[] = ["ask", ...FORMULAS, "therefore"];

/** The first token that its place does not allow, or null. */
export function findUnread({ tokens, end }: Clause, position: Position, grammar: Grammar): Token | null {
  const words = new ClauseWords(tokens, grammar, position.money);
  const isQuestion = end === "question";
  if (position.act >= 0) return findBefore(words, position.act) ?? findAfter(words, position.act, isQuestion);
  if (isQuestion) return isFormula(words, ["greet", "thanks", "go"]) ? null : words.at(0);
  if (tokens.some(isValue)) return findBesideValues(words, end, position);
  if (isFormula(words, FORMULAS) || isLabel({ tokens, end }, grammar, "amount")) return null;
  if (isNamed(words, end, position)) return null;
  if (end === "mark") return findInLabel(words, 0, words.length);
  return position.isBefore ? findInSentence(words, end) : findInAside(words, end);
}

/** A sentence before the request. Without a subject and its verb it only names something: "In a perfect world." is a term of the request. */
function findInSentence(words: ClauseWords, end: Clause["end"]): Token | null {
  const { whole } = words;
  const unread = findInStory(words, whole.from, whole.to);
  const isTold =
    says(words, whole.from, whole.to) || words.has(0, whole.to, (at) => words.is(at, "local") > 0);
  if (unread !== null || end === "therefore" || isTold) return unread;
  return words.placed(whole) ?? findInLabel(words, whole.from, whole.to);
}

const findBesideValues = (words: ClauseWords, end: Clause["end"], position: Position): Token | null =>
  isTold(words.tokens, end, position)
    ? findInStory(words, 0, words.length)
    : findInStatement(words, position.isBefore ? endOfStory(words) : 0);

/** "The shop takes only DAI.": a finished sentence before the request that names neither money nor a party is a story. */
const isTold = (tokens: readonly Token[], end: Clause["end"], { isBefore }: Position): boolean =>
  isBefore &&
  (end === "sentence" || end === "exclamation" || end === "therefore") &&
  !tokens.some(({ kind }) => kind === "money" || kind === "address" || kind === "number") &&
  !tokens.some((token) => token.kind === "operator" && BINDS.has(token.role));

/** Operators that say how much of an asset may be used, or when. */
const BINDS = new Set("keep share bound until later except partial cross".split(" "));

/** The name under a letter, or the number after a label. */
const isNamed = (words: ClauseWords, end: Clause["end"], { isSigned, isLabelled }: Position): boolean =>
  (isSigned && end !== "exclamation" && isSignature(words)) || (isLabelled && isReference(words));

function isFormula(words: ClauseWords, classes: readonly Class[]): boolean {
  const named = (at: number): boolean =>
    words.is(at - 1, "greet", "thanks") > 0 && (words.describes(at) > 0 || words.isName(at));
  const take = (at: number): number =>
    words.changes(at)
      ? 0
      : words.is(at, ...classes) || Number(words.isPause(at) || words.isProper(at) || named(at));
  return words.rest(0, words.length, take) === null;
}

/** Formulas and names only: "Please pay it.", "approved". */
export const isGo = ({ tokens }: Clause, grammar: Grammar): boolean =>
  isFormula(new ClauseWords(tokens, grammar, []), [...FORMULAS, "ask"]);

const SIGNATURE_LENGTH = 6;
const isSignature = (words: ClauseWords): boolean =>
  words.length <= SIGNATURE_LENGTH &&
  words.rest(0, words.length, (at) =>
    words.changes(at) || words.isBracket(at)
      ? 0
      : Number(words.isPause(at) || words.isName(at)) || words.describes(at) || words.is(at, "own", "prep"),
  ) === null;

/** Before the act: parts that end with a comma or a phrase that asks. The last part asks, or is a label. */
function findBefore(words: ClauseWords, act: number): Token | null {
  for (let at = 0; at < act;) {
    if (isTaken(words, at, act)) return null;
    const taken = words.changes(at)
      ? 0
      : words.is(at, ...LEAD) || Number(words.isPause(at)) || topic(words, at, act);
    const end = taken > 0 ? at + taken : endOfPart(words, at, act);
    if (end === null) return words.at(at);
    const unread = taken > 0 ? null : findInPart(words, at, end, act);
    if (unread !== null) return unread;
    at = end;
  }
  return null;
}

/** "Bitte … überweisen": the values come between a phrase that asks and the act. */
const isTaken = (words: ClauseWords, from: number, act: number): boolean =>
  words.is(from, "takes") > 0 &&
  words.rest(from, act, (at) => words.is(at, "takes", "ask") || words.plain(at)) === null;

/** "Base 上转…", "5 ETH 转给…": a network, or the money right before the act. */
function topic(words: ClauseWords, from: number, act: number): number {
  const kind = words.at(from)?.kind;
  if (!words.isUnspaced || from >= act) return 0;
  if (kind === "money") return Number(from + 1 === act);
  if (kind !== "chain" && kind !== "venue") return 0;
  const end = words.find(from + 1, act, (at) => words.is(at, "own") === 0);
  return end - from;
}

/** A reason, if what follows asks; otherwise a label. "My sister, as always, pays": a person may be the subject of the act. */
function findInPart(words: ClauseWords, from: number, end: number, act: number): Token | null {
  const next = words.isMark(end) ? end + 1 : end;
  const bare = words.find(from, end, (at) => words.isBare(at));
  if (bare < end) return words.at(bare);
  const isLater = (at: number): boolean => words.isMark(at - 1) && words.is(at, "ask", "please") > 0;
  const isAsked = words.is(next, "ask", "please") > 0 || (words.isUnspaced && words.has(next, act, isLater));
  if (isAsked) return findInStory(words, from, end);
  const isSubject = words.is(from, "det", "poss", "pron") > 0 || words.isPerson(from);
  return isSubject ? words.at(from) : findInLabel(words, from, end);
}

function endOfPart(words: ClauseWords, from: number, act: number): number | null {
  const isComma = (at: number): boolean => words.isMark(at) && /^[,，、)]$/u.test(words.at(at)?.low ?? "");
  const asks = (start: number): boolean =>
    words.is(start, "ask", "please") > 0 &&
    words.rest(start, act, (at) => words.is(at, "ask", "filler") || Number(words.isPause(at))) === null;
  const end = words.find(from, act, (at) => isComma(at) || (at > from && asks(at)));
  return end < act ? end : null;
}

/** After the act: terms, parties and an explanation, in which verbs are about something else. */
function findAfter(words: ClauseWords, act: number, isQuestion: boolean): Token | null {
  const all = words.length;
  if (isQuestion && !words.has(0, all, (at) => words.is(at, "please") > 0)) return words.at(act);
  const explained = words.find(act + 1, all, (at) => words.is(at, "explains", "pron") > 0);
  const isSecondParty = (at: number): boolean =>
    words.at(at + 1)?.kind === "address" && words.is(at, "and") > 0;
  const isOther = (at: number): boolean =>
    isSecondParty(at) || isMore(words, at) || (words.isUnspaced && isJudged(words, at));
  return words.rest(act, all, (at) => {
    if (at === act) return words.is(at, ...verbs);
    if (isOther(at)) return 0;
    const taken = words.plain(at, "it", "explains", "pron", "least", "please");
    if (taken > 0) return taken;
    if (at > explained) return words.tells(at) || words.reports(at) || words.is(at, "can");
    return words.at(at - 1)?.kind === "word" && !words.changes(at) ? words.is(at, "cop") : 0;
  });
}

/** Names something, or its purpose. */
function findInLabel(words: ClauseWords, from: number, to: number): Token | null {
  const explained = words.find(from, to, (at) => words.is(at, "explains") > 0);
  return words.rest(
    from,
    to,
    (at) => words.plain(at, "explains", "ask") || words.counts(at) || (at < explained ? 0 : words.tells(at)),
  );
}

/** "Why:", "Invoice no.:". */
export const isLabel = ({ tokens, end }: Clause, grammar: Grammar, ...more: readonly Class[]): boolean =>
  end === "mark" && tokens.length > 0 && grammar.phraseAt(tokens, 0, ["label", ...more]) === tokens.length;

/** "Invoice no.: 2231": the number of a document. */
const isReference = (words: ClauseWords): boolean =>
  words.tokens.every(({ kind, text }) => (kind === "number" && /^\d+$/.test(text)) || kind === "mark");

/** "We split the bill and my part is 35 USDC": where the part with the first value begins. Before it is a story. */
function endOfStory(words: ClauseWords): number {
  const value = words.find(0, words.length, (at) => words.isValue(at));
  const joints = words.tokens.flatMap((_, at) => {
    const isJoint = words.is(at, "and") > 0 || (words.isMark(at) && /^[,，]$/u.test(words.at(at)?.low ?? ""));
    return at > 0 && at < value && isJoint && words.isSubject(at + 1) ? [at] : [];
  });
  return joints.at(-1) ?? 0;
}

/** "Their address is 0x…", "I owe him 64.50 USDT". With money or an address, verbs say only what it is: "he got 5 ETH" is a report. */
function findInStatement(words: ClauseWords, from: number): Token | null {
  const all = words.length;
  const start = words.start(0);
  // "Is 5 ETH to 0x… taxable": people leave the question mark out.
  if (words.is(start, "inverts") > 0) return words.at(start);
  const told = from > 0 ? findInStory(words, 0, from) : null;
  if (told !== null) return told;
  const isNamed = words.tokens.some(({ kind }) => kind === "money" || kind === "address");
  const explained = words.find(from, all, (at) => words.is(at, "explains") > 0);
  return words.rest(from, all, (at) => {
    if (isOpenWord(words, at) || isMore(words, at) || (isNamed && isJudged(words, at))) return 0;
    const taken =
      words.plain(at, "ask", "explains", "states", "least", "please", "pron", "it") || words.subject(at);
    if (taken > 0 || (isNamed && at < explained)) return taken;
    return words.tells(at) || words.reports(at) || words.counts(at);
  });
}

/** "5 ETH + gas", "5 ETH and a tip". */
const isMore = (words: ClauseWords, at: number): boolean =>
  words.at(at - 1)?.kind === "money" && words.is(at, "and") > 0;

/** "vest 45 USDC": a noun right before money may be a verb that is not known as one. */
const isOpenWord = (words: ClauseWords, at: number): boolean =>
  words.at(at)?.kind === "word" &&
  words.at(at + 1)?.kind === "money" &&
  words.is(at, ...FORMULAS, ...SMALL, "ask", "states", "please", "least") === 0;

/** "The payment of 5 USDC to 0x… is fine": says something about it. */
const isJudged = (words: ClauseWords, at: number): boolean =>
  words.isValue(at - 1) && words.is(at, "cop", "states") > 0;

/**
 * A sentence after the request names something, or says what the values are or why they are needed. Any other verb may be
 * about the request, "She put a stop to it".
 */
function findInAside(words: ClauseWords, end: Clause["end"]): Token | null {
  // "April, April!"
  if (end === "exclamation") return words.at(0);
  const all = words.length;
  const start = words.start(0);
  const take = (at: number): number =>
    words.plain(at, "ask", "explains", "states", "pron", "cop") ||
    words.counts(at) ||
    (words.is(at, "keeps") > 0 ? words.tells(at) : 0) ||
    (isSubject(at) ? words.is(at, "it") : 0);
  const isSubject = (at: number): boolean =>
    words.isMark(at - 1) || at === start || words.is(at - 1, "keeps", "pron") > 0;
  const begun = words
    .parts()
    .map((part) => words.placed(part) ?? words.order(part) ?? findTold(words, part))
    .find((token) => token !== null);
  const unread = begun ?? findBroken(words) ?? words.rest(0, all, take);
  if (unread !== null) return unread;
  const purpose = words.find(0, all, (at) => words.is(at, "for") > 0);
  const isReference = (at: number): boolean =>
    words.is(at, "it", "request") > 0 || (at < purpose && words.is(at, "party") > 0);
  const reference = words.find(0, all, (at) => isReference(at) && words.is(at, ...FORMULAS) < 2);
  const isAbout = reference < all && words.has(0, all, (at) => words.isPredicate(at));
  if (isAbout) return words.at(reference);
  const object = words.find(start + 1, all, (at) => isObject(words, at));
  return words.at(object);
}

/** "April, April!": a phrase that changes the request, with a comma in it. */
function findBroken(words: ClauseWords): Token | null {
  const bare = words.only(words.tokens.filter(({ kind }) => kind !== "mark"));
  return bare.at(bare.find(0, bare.length, (at) => bare.changes(at) && bare.is(at, "frames", "neg") > 1));
}

/** "That was last week", "That's her old address", "Bereits bezahlt": what was, or what a value of the request was. */
function findTold(words: ClauseWords, { from, to }: Part): Token | null {
  const start = words.start(from, to);
  if (words.is(start, "did") > 0) return words.at(start);
  if (words.is(start, "it") === 0 || words.is(start + 1, "cop") === 0) return null;
  const purpose = words.find(start, to, (at) => words.is(at, "for") > 0);
  const isTold = (at: number): boolean =>
    isDescribedParty(words, at) || (at === start + 1 && words.is(at, "past") > 0);
  const told = words.find(start, purpose, isTold);
  return told < purpose ? words.at(told) : null;
}

const isDescribedParty = (words: ClauseWords, at: number): boolean =>
  words.is(at, "party") > 0 && (words.describes(at - 1) > 0 || words.describes(at + 1) > 0);

/** "Bob funds it": something is done with the request. "I need it" only says why. */
const isObject = (words: ClauseWords, at: number): boolean =>
  words.is(at, "it") > 0 &&
  words.is(at, "det", "explains", ...FORMULAS) === 0 &&
  words.at(at - 1)?.kind === "word" &&
  words.is(at - 1, "keeps", "and", "prep", "to", "for", "explains", ...FORMULAS) === 0;
