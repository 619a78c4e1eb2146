/**
 * Finds the parts of a text that nothing shows to be harmless. A request is at the start of a clause, or
 * after a phrase that asks. The rest of the text must be of kinds that cannot take it back: labels, reasons, purposes, thanks, and
 * sentences about everyday life. A word in no list is unread, because it can mean anything.
 */
import type { Intent } from "../../intent.ts";
import type { Item } from "../items.ts";
import {
  clausesOf,
  hasAct,
  isAnchor,
  isLimited,
  isRequest,
  isValue,
  type Bit,
  type Clause,
} from "./clauses.ts";
import { englishVocabulary, type PhraseClass } from "./english.ts";
import { findUnknown } from "./find-unknown.ts";
import { isForeignWord } from "./ordinary-words.ts";

export function findUngoverned(items: readonly Item[], language: string): NonNullable<Intent["ungoverned"]> {
  const clauses = clausesOf(items);
  const found = language === "en" ? findInEnglish(clauses) : findUnknown(clauses, language);
  const limited = clauses.some(hasAct) ? [] : items.filter(isLimited);
  const negated = clauses.flatMap(({ bits }) => bits.filter((_, at) => isNegated(bits, at)));
  return [...[...found, ...negated].map(({ item }) => item), ...limited].map(({ text, start, end }) => ({
    text,
    span: [start, end],
  }));
}

/** "Sende niemals mehr als 5 ETH". */
const isNegated = (bits: readonly Bit[], at: number): boolean =>
  bits[at]?.item.k === "neg" && bits[at - 1]?.kind === "act";

function findInEnglish(clauses: readonly Clause[]): readonly Bit[] {
  const asked = clauses.some(hasAct);
  const first = clauses.findIndex(asked ? hasAct : isRequest);
  return clauses.flatMap((clause, at) => check(clause, { asked, isBefore: at < first }) ?? []);
}

type Position = {
  /** Some clause has an act. If none has, the values alone are the request. */
  readonly asked: boolean;
  /** Before the first request. */
  readonly isBefore: boolean;
};

function check(clause: Clause, { asked, isBefore }: Position): Bit | null {
  const { bits, end } = clause;
  if (hasAct(clause) || (isRequest(clause) && !asked)) {
    const start = bits.findIndex(isAnchor);
    return checkLead(bits.slice(0, start), bits[start]) ?? checkBody(bits.slice(start));
  }
  // Values without an act: the request is elsewhere, and this names the party or the amount.
  if (isRequest(clause)) return checkStatement(bits);
  if (isBefore) return endsSentence(end) ? checkAside(bits, true) : checkLabel(bits);
  return clause.start === "so" ? checkStatement(bits) : checkAside(bits, false);
}

/** A reason ends with "so"; the part before a colon or a dash is a label. */
const endsSentence = (end: string): boolean => end === "." || end === "so" || end === "therefore";

const { phraseAt, describes, isVerb, commands } = englishVocabulary;

/** Phrases that change nothing, wherever they are. */
const PLAIN: readonly PhraseClass[] = [
  ...(["det", "poss", "small", "own", "known"] as const),
  ...(["filler", "thanks", "greet", "done", "go"] as const),
];
/** Phrases that an act may follow. */
const LEAD: readonly PhraseClass[] = ["ask", "filler", "greet", "thanks", "go", "done", "det", "poss"];
/** Verbs whose subject gets what is asked for: "Beatriz gets 33 USDC". */
const GETS = new Set("gets get receives receive needs wants deserves".split(" "));
/** Nouns that name a payment by what it is: "taxi share", "bug bounty payout". */
const NOUNS = new Set(
  "payment share tip deposit refund gift grant payout donation contribution bonus reimbursement".split(" "),
);
/** Nouns in the plural are about acts in general: "payments to Bob are capped". */
const GENERAL = /^(?:payments|transfers|payouts|sends|deposits|withdrawals|swaps|trades)$/;

/** The first bit that cannot be taken. `take` returns how many bits it takes at a position. */
function firstUnread(bits: readonly Bit[], take: (at: number) => number): Bit | null {
  for (let at = 0; at < bits.length;) {
    const taken = take(at);
    if (taken === 0) return bits[at] ?? null;
    at += taken;
  }
  return null;
}

/** Takes marks, values, names, nouns and their descriptions, which may be in every part of a text. */
function takePlain(bits: readonly Bit[], at: number, more: readonly PhraseClass[] = []): number {
  const bit = bits[at];
  if (bit === undefined) return 0;
  const taken = phraseAt(bits, at, [...PLAIN, ...more]);
  return taken > 0 ? taken : Number(bit.kind !== "word" || describes(bit.low) || isProper(bits, at));
}

const isCapital = ({ kind, text }: Bit): boolean => kind === "word" && /^\p{Lu}\p{L}+/u.test(text);

/** A capitalised word inside a sentence is a name, unless it may be a word of another language. */
function isProper(bits: readonly Bit[], at: number): boolean {
  const bit = bits[at];
  if (bit === undefined || !isCapital(bit) || bit.item.first || bit.item.symbol !== null) return false;
  return !isForeignWord(bit.low, "en") && !isAlone(bits, at);
}

/** Only capitalised words and formulas are in its part of the sentence: ", Annulé", "(Nein danke)". A name there would name nothing. */
function isAlone(bits: readonly Bit[], at: number): boolean {
  const start = bits.findLastIndex(({ kind }, index) => index < at && kind === "mark") + 1;
  const length = bits.slice(at).findIndex(({ kind }) => kind === "mark");
  const isName = (bit: Bit, index: number): boolean =>
    isCapital(bit) || phraseAt(bits, start + index, ["filler", "thanks", "greet", "done", "go"]) > 0;
  const part = bits.slice(start, length < 0 ? bits.length : at + length);
  return start > 0 && part.every(isName) && phraseAt(bits, start - 2, ["thanks", "greet"]) === 0;
}

/** The first word of a sentence is a name if a verb follows: "Tunde covered my ticket". */
function isSubject(bits: readonly Bit[], at: number): boolean {
  const [bit, next] = [bits[at], bits[at + 1]];
  if (bit === undefined || !/^\p{Lu}\p{L}+/u.test(bit.text)) return false;
  if (/['’]s$/.test(bit.low)) return true;
  return next?.kind === "word" && (isVerb(next.low) || phraseAt(bits, at + 1, ["cop", "small"]) > 0);
}

/** Before the act: phrases that ask, a purpose or a label up to a comma, or the subject of "gets". */
function checkLead(bits: readonly Bit[], start: Bit | undefined): Bit | null {
  if (start?.kind === "act" && GENERAL.test(start.low)) return start;
  return firstUnread(bits, (at) => {
    const taken = phraseAt(bits, at, LEAD);
    if (taken > 0 || bits[at]?.kind !== "word") return Math.max(1, taken);
    const comma = bits.findIndex(({ kind, low }, index) => index > at && kind === "mark" && low === ",");
    const chunk = bits.slice(at, comma < 0 ? bits.length : comma);
    const isFine =
      comma < 0 ? governs(chunk, start) : introduces(chunk, phraseAt(bits, comma + 1, ["ask", "filler"]) > 0);
    return isFine ? chunk.length : 0;
  });
}

/** "Lunch was great, please send …": a reason, if what follows asks; otherwise a label. */
const introduces = (chunk: readonly Bit[], isAsked: boolean): boolean =>
  (isAsked ? checkAside(chunk, true) : checkLabel(chunk)) === null;

/** Right before an act: its subject, the kind of payment, or what it is for. Before a bare value: whose it is. */
function governs(chunk: readonly Bit[], start: Bit | undefined): boolean {
  if (start?.kind !== "act" || GETS.has(start.low.split(" ")[0] ?? "")) return checkStatement(chunk) === null;
  const isLabel = NOUNS.has(start.low) || phraseAt(chunk, 0, ["explains", "small"]) > 0;
  return isLabel && checkLabel(chunk) === null;
}

/** Where an explanation begins: "for", "because". From there on verbs are about something else. */
const explanation = (bits: readonly Bit[], classes: readonly PhraseClass[]): number => {
  const at = bits.findIndex((_, index) => phraseAt(bits, index, classes) > 0);
  return at < 0 ? bits.length : at;
};

/** Nouns that name something, or its purpose. */
function checkLabel(bits: readonly Bit[]): Bit | null {
  const from = explanation(bits, ["explains"]);
  return firstUnread(bits, (at) => {
    const taken = takePlain(bits, at, ["explains"]);
    return taken > 0 || at < from ? taken : takeStory(bits, at);
  });
}

const takeStory = (bits: readonly Bit[], at: number): number =>
  phraseAt(bits, at, ["pron", "cop", "it"]) || Number(isVerb(bits[at]?.low ?? ""));

/** After the act: terms, descriptions of parties, and an explanation. */
function checkBody(bits: readonly Bit[]): Bit | null {
  const from = explanation(bits, ["explains", "pron"]);
  return firstUnread(bits, (at) => {
    const taken = takePlain(bits, at, ["ask", "it", "explains", "pron"]);
    if (taken > 0) return taken;
    if (at > from) return takeStory(bits, at);
    // "Her address is 0x…", "gas is low", but not "send 5 ETH to 0x… is spam".
    const before = bits[at - 1];
    return before === undefined || isValue(before) ? 0 : phraseAt(bits, at, ["cop"]);
  });
}

/** "Their address is 0x…", "I owe him 64.50 USDT", "Tunde covered my ticket". */
const checkStatement = (bits: readonly Bit[]): Bit | null =>
  firstUnread(bits, (at) => takeSentence(bits, at) || Number(isSubject(bits, at)));

const takeSentence = (bits: readonly Bit[], at: number): number =>
  takePlain(bits, at, ["ask", "explains"]) || takeStory(bits, at);

/** A sentence that asks for nothing. After the request it must not speak about the request. */
function checkAside(bits: readonly Bit[], isBefore: boolean): Bit | null {
  const [start] = bits;
  if (start?.kind === "word" && commands(start.low) && phraseAt(bits, 0, PLAIN) === 0) return start;
  if (isBefore && isStory(bits)) return null;
  if (isBefore) return checkStatement(bits);
  const unknown = firstUnread(bits, (at) => takeSentence(bits, at));
  if (unknown !== null) return unknown;
  const reference = bits.find((_, at) => phraseAt(bits, at, ["it"]) > 0);
  const hasVerb = bits.some(({ kind, low }) => kind === "word" && isVerb(low) && !describes(low));
  return reference !== undefined && hasVerb ? reference : null;
}

/** A story before the request may hold any words, as long as none of them is about the text or speaks to the agent. */
const isStory = (bits: readonly Bit[]): boolean =>
  !bits.some(({ kind }, at) => kind === "act" || phraseAt(bits, at, ["about", "it"]) > 0) &&
  bits.some((_, at) => phraseAt(bits, at, ["pron", "det", "poss", "cop"]) > 0);
