/** One clause and the classes of its tokens. Each method answers for the token at a position. */
import { sameDecimal } from "../numbers.ts";
import { verbs, type Class, type Grammar } from "./grammar.ts";
import { isValue, type Money, type Token } from "./tokens.ts";

/** Formulas that change nothing, wherever they are. */
export const FORMULAS: readonly Class[] = ["filler", "thanks", "greet", "done", "go"];
/** Small words and words of payments. */
export const SMALL: readonly Class[] = [
  ...(["det", "poss", "prep", "to", "from", "own", "of", "for"] as const),
  ...(["allowance", "zero", "spend", "pool", "request"] as const),
];
/** Operators that only count: "my half", "all week". Next to a value they change it. */
const COUNTS = new Set("all share each evenly vague time percent bps fiat".split(" "));

/** Punctuation, arrows to the recipient, and pictures that only show a mood. A picture in no list is unread: "❌". */
const PAUSES = /^(?:[,，.。!！()（）[\]{}:：;；'’‘"“”«»…、]|\.\.\.|-{1,2}>|=>|[→➡⇒➔⟶])$/u;
const MOODS = new Set([
  ..."🙂 😊 😄 😀 😁 🙏 👍 ❤ ♥ 🎉 🎂 🥳 😅 😂 🤣 😉 🙌 💪 ✨ ☕ 🍕 🍻 🎁 💜 💙 💚 🧡 💛 🤗 😘 🥰 😍".split(
    " ",
  ),
  "\ufe0f",
]);
const JOINTS = /^[-–—/#№&+*•·|@_°]$/u;

/** A part of a clause, or all of it: from its first token to before `to`. */
export type Part = { readonly from: number; readonly to: number };

/** How many tokens are taken at a position; 0 if the word is not allowed there. */
type Take = (at: number) => number;

export class ClauseWords {
  readonly tokens: readonly Token[];
  readonly length: number;
  readonly #grammar: Grammar;
  readonly #money: readonly Money[];

  constructor(tokens: readonly Token[], grammar: Grammar, money: readonly Money[]) {
    this.tokens = tokens;
    this.length = tokens.length;
    this.#grammar = grammar;
    this.#money = money;
  }

  /** How many tokens the longest phrase of one of these classes takes. */
  is(at: number, ...wanted: readonly Class[]): number {
    const taken = this.#grammar.phraseAt(this.tokens, at, wanted);
    const isTold = taken > 1 && wanted.includes("go") && this.#isTold(at);
    return isTold
      ? this.#grammar.phraseAt(
          this.tokens,
          at,
          wanted.filter((one) => one !== "go"),
        )
      : taken;
  }

  /** After its subject an order is a statement: "o meu contabilista faz isso", "Bob trata disso". */
  #isTold(at: number): boolean {
    const before = this.at(at - 1);
    if (before?.kind !== "word") return false;
    const isFormula = this.#grammar.phraseAt(this.tokens, at - 1, FORMULAS) > 0;
    return !isFormula && (this.describes(at - 1) > 0 || this.isName(at - 1) || this.is(at - 1, "they") > 0);
  }

  find(from: number, to: number, isIt: (at: number) => boolean): number {
    for (let at = from; at < to; at += 1) if (isIt(at)) return at;
    return to;
  }

  has(from: number, to: number, isIt: (at: number) => boolean): boolean {
    return this.find(from, to, isIt) < to;
  }

  at(position: number): Token | null {
    return this.tokens[position] ?? null;
  }

  /** The first token that `take` leaves. */
  rest(from: number, to: number, take: Take): Token | null {
    for (let at = from; at < to;) {
      const taken = take(at);
      if (taken === 0) return this.at(at);
      at += taken;
    }
    return null;
  }

  isBracket(at: number): boolean {
    return this.isMark(at) && /^[()[\]{}（）]$/u.test(this.at(at)?.low ?? "");
  }

  /** The parts of the clause, each with the comma or bracket that ends it. */
  parts(): readonly Part[] {
    const starts = this.tokens.flatMap((_, at) => (this.#endsPart(at) ? [at + 1] : []));
    return [0, ...starts].map((from, index) => ({ from, to: starts[index] ?? this.length }));
  }

  #endsPart(at: number): boolean {
    return this.isBracket(at) || (this.isMark(at) && /^[,，、]$/u.test(this.at(at)?.low ?? ""));
  }

  get whole(): Part {
    return { from: 0, to: this.length };
  }

  /** These tokens as a clause of their own. */
  only(tokens: readonly Token[]): ClauseWords {
    return new ClauseWords(tokens, this.#grammar, this.#money);
  }

  isMark(at: number): boolean {
    return this.at(at)?.kind === "mark";
  }

  /** A capitalised word. */
  isName(at: number): boolean {
    const token = this.at(at);
    const isCapital = token?.kind === "word" && /^\p{Lu}[\p{L}.'’-]*$/u.test(token.text);
    return isCapital && this.is(at, "frames", "neg") === 0 && !this.#grammar.isForeign(this.tokens, at);
  }

  /** A capitalised word that does not begin its sentence, nor a sentence in brackets. */
  isProper(at: number): boolean {
    const isOpening = this.isMark(at - 1) && this.find(0, at, (index) => !this.isMark(index)) === at;
    return this.isName(at) && this.at(at)?.first === false && !isOpening && !this.#isAlone(at);
  }

  /** Only capitalised words and formulas are in its part of the sentence: ", Annulé", "(Nein danke)". A name there would name nothing, so it may be any word. */
  #isAlone(at: number): boolean {
    const start = this.tokens.findLastIndex((_, index) => index < at && this.isMark(index)) + 1;
    const end = this.find(at, this.length, (index) => this.isMark(index));
    const isOther = (index: number): boolean => !this.isName(index) && this.is(index, ...FORMULAS) === 0;
    return start > 0 && !this.has(start, end, isOther) && this.is(start - 2, "thanks", "greet") === 0;
  }

  describes(at: number): number {
    return this.#grammar.describes(this.tokens, at);
  }

  isNoun(at: number): boolean {
    return this.describes(at) > 0 || this.isProper(at) || this.is(at, "own") > 0;
  }

  isSubject(at: number): boolean {
    return this.is(at, "pron", "it", "poss", "det") > 0 || this.isNoun(at) || this.isName(at);
  }

  /** The language writes no spaces. */
  get isUnspaced(): boolean {
    return this.#grammar.words !== null;
  }

  isPerson(at: number): boolean {
    return this.#grammar.isPerson(this.tokens, at);
  }

  isBare(at: number): boolean {
    return this.#grammar.isBare(this.tokens, at);
  }

  isValue(at: number): boolean {
    const token = this.at(at);
    return token !== null && isValue(token);
  }

  /** A verb that asks. After a word that a noun follows it is a noun: "the transfer". */
  isAct(at: number): boolean {
    const token = this.at(at);
    if (token?.kind !== "word" || (!token.acts && this.is(at, ...verbs) === 0)) return false;
    const isNominal =
      this.is(at - 1, "det", "poss", "own") > 0 ||
      (this.is(at - 1, "prep", "explains") > 0 && this.is(at - 1, "to") === 0);
    return !isNominal && this.describes(at - 1) === 0 && !this.isValue(at - 1);
  }

  /** A word that may change the request, and is not part of a longer formula. */
  changes(at: number): boolean {
    return this.is(at, "frames", "neg") > this.is(at, ...FORMULAS, "ask", "please");
  }

  /** Part of such a phrase: "tip" in "and a tip". */
  isInChange(at: number): boolean {
    return this.has(0, at + 1, (from) => this.changes(from) && from + this.is(from, "frames", "neg") > at);
  }

  /** Nouns, their descriptions, values, small words and formulas. */
  plain(at: number, ...more: readonly Class[]): number {
    if (this.changes(at)) return 0;
    const formula = this.is(at, ...FORMULAS);
    if (formula > 0 || this.isAct(at)) return formula;
    return this.is(at, ...SMALL, ...more) || this.#value(at) || this.describes(at) || this.#noun(at);
  }

  #value(at: number): number {
    const kind = this.at(at)?.kind;
    const isHarmless =
      this.isPause(at) ||
      kind === "date" ||
      kind === "id" ||
      kind === "rate" ||
      kind === "other" ||
      this.isValue(at);
    return Number(isHarmless || this.#isCount(at));
  }

  /** A mark that only separates. After money "/", "-" and "+" calculate, unless "/" is in a list of values: "Base / 5 ETH / 0x…". */
  isPause(at: number): boolean {
    const token = this.at(at);
    if (token?.kind !== "mark") return false;
    const isLine = token.low === "/" && this.#isApart(at) && this.at(at + 1)?.kind !== "number";
    const isJoint = JOINTS.test(token.low) && (this.at(at - 1)?.kind !== "money" || isLine);
    return PAUSES.test(token.low) || MOODS.has(token.low) || isJoint;
  }

  /** Between spaces. */
  #isApart(at: number): boolean {
    const [before, token, next] = [this.at(at - 1), this.at(at), this.at(at + 1)];
    return (before?.end ?? 0) < (token?.start ?? 0) && (token?.end ?? 0) < (next?.start ?? 0);
  }

  /** A number that counts things, names an invoice, or repeats the amount. */
  #isCount(at: number): boolean {
    const token = this.at(at);
    if (token?.kind !== "number") return false;
    if (this.#money.some(({ amount }) => sameDecimal(amount, token.amount))) return true;
    const isCounting = this.isNoun(at + 1) && this.is(at + 1, "request") === 0 && !this.#isPlaced(at);
    return this.#isNamed(at) || isCounting;
  }

  /** "In 3 hours": after a preposition that gives no purpose a number may say when. */
  #isPlaced(at: number): boolean {
    return this.is(at - 1, "prep") > 0 && this.is(at - 1, "to", "for", "of", "from") === 0;
  }

  /** "invoice 12", "#12", "INV-12", "88/2025". */
  #isNamed(at: number): boolean {
    const before = this.at(at - 1)?.low ?? "";
    const isPart = /^[-/]$/.test(before) && (this.isNoun(at - 2) || this.at(at - 2)?.kind === "number");
    return isPart || /^[#№]$/u.test(before) || this.isNoun(at - 1);
  }

  /** A name; or an unknown word after an article or a possessive inside a clause, but not in a statement about the request. */
  #noun(at: number): number {
    const low = this.at(at)?.kind === "word" ? (this.at(at)?.low ?? "") : "";
    if (this.isProper(at)) return 1;
    if (!/^\p{L}{3,}$/u.test(low) || /(?:ed|ing)$/.test(low)) return 0;
    if (this.#grammar.isForeign(this.tokens, at)) return 0;
    return Number(this.#isDescribed(at));
  }

  /** After an article or a possessive that does not begin a remark. */
  #isDescribed(at: number): boolean {
    if (this.is(at - 1, "det", "poss") === 0 || this.#isRemark(at - 1)) return false;
    // "Estou a brincar": a preposition, and what follows is a verb.
    if (this.is(at - 1, "to") > 0 && this.tells(at - 2) > 0) return false;
    const isPredicate = this.has(0, at - 1, (index) => this.is(index, "it") > 0);
    // "Das übernimmt …", "los pone …": the article may be a pronoun, unless a preposition is before it.
    const isArticle =
      this.is(at - 1, "it", "pron") === 0 || this.is(at - 2, "prep", "to", "for", "of", "from") > 0;
    return isArticle && (!isPredicate || this.isNoun(at + 1));
  }

  /** Begins a part of its own, without a verb or value: ", just an idea", ", el sueño de mi vida". */
  #isRemark(from: number): boolean {
    const before = this.tokens.findLastIndex((_, at) => at < from && this.is(at, ...FORMULAS) === 0);
    if (before >= 0 && !this.isMark(before)) return false;
    const end = this.find(from, this.length, (at) => this.isMark(at));
    const says = (at: number): boolean =>
      this.isValue(at) || this.isAct(at) || this.isPredicate(at) || this.is(at, "cop", "gets") > 0;
    return !this.has(from + 2, end, (at) => says(at) && this.is(at - 1, "det", "poss", "prep", "of") === 0);
  }

  /** Verbs of a person or thing. */
  tells(at: number): number {
    if (this.changes(at)) return 0;
    return this.is(at, "pron", "cop", "it") || (this.isAct(at) ? 0 : this.#grammar.tells(this.tokens, at));
  }

  /** A verb of everyday life in its own right, which is no noun as well. */
  isPredicate(at: number): boolean {
    if (this.is(at, "did") > 0) return true;
    const isVerb = this.#grammar.tells(this.tokens, at) > 0 && this.describes(at) === 0;
    return isVerb && this.is(at, "keeps", "cop", ...SMALL) === 0;
  }

  /** "My half", "all week"; a day, if the past is told. */
  counts(at: number): number {
    const token = this.at(at);
    if (token?.kind !== "operator" || !this.#isAboutOther(at, token.role)) return 0;
    const isPast = token.role === "later" && this.has(0, at, (index) => this.is(index, "past") > 0);
    return Number(COUNTS.has(token.role) || isPast);
  }

  /** After a word about something else. "Make it half" and "in 3 hours" are about the request. */
  #isAboutOther(at: number, role: string): boolean {
    if (role === "time" && this.#isPlaced(at)) return false;
    const isOf = this.is(at - 1, "det", "poss", "prep", "of", "for") > 0 || this.describes(at - 1) > 0;
    return isOf || (role !== "share" && this.tells(at - 1) > 0);
  }

  /** "She covered", "Dan bought": what another person did. */
  reports(at: number): number {
    if (at === 0 || !this.isAct(at)) return 0;
    const isOther =
      this.is(at - 1, "they", "cop", "can") > 0 || this.isName(at - 1) || this.describes(at - 1) > 0;
    return Number(this.is(at, "keeps") > 0 || (isOther && this.is(at, "did") > 0));
  }

  /** The first word of a sentence is a name if a verb follows that is no order. */
  subject(at: number): number {
    const isVerb =
      this.#grammar.tells(this.tokens, at + 1) > 0 && !this.#grammar.commands(this.tokens, at + 1);
    const follows = this.is(at + 1, "cop", "did", "past") > 0 || (isVerb && this.describes(at + 1) === 0);
    return Number(this.isName(at) && follows);
  }

  /** Where the clause or a part of it begins, after formulas. */
  start(from: number, to = this.length): number {
    return this.find(from, to, (at) => !this.isMark(at) && this.is(at, ...FORMULAS) === 0);
  }

  /** The preposition that begins a part of the clause and gives no purpose, "To another address.", "In a perfect world.": a term of the request. */
  placed({ from, to }: Part): Token | null {
    const start = this.start(from, to);
    if (start === to) return null;
    const begins = start === 0 || this.isMark(start - 1);
    const isPurpose = this.is(start, "for", "explains", "own") > 0;
    const isTerm = this.is(start, "to", "from") > 0 || (this.is(start, "prep") > 0 && !isPurpose);
    return begins && isTerm ? this.at(start) : null;
  }

  /** The verb, if the clause or part is an order. A noun that is a verb too has an object then: "save it", "keep the deposit". "Need it for gas" is a reason. */
  order({ from, to }: Part): Token | null {
    const at = this.start(from, to);
    const isReason = this.is(at, "keeps") > 0 && this.is(at + 1, "it") > 0;
    const hasObject =
      this.#grammar.tells(this.tokens, at) > 0 && this.is(at + 1, "it", "det", "poss") > 0 && !isReason;
    const isOrder =
      (this.#grammar.commands(this.tokens, at) || hasObject) &&
      this.is(at, ...SMALL, "pron", "cop", "ask") === 0;
    return isOrder ? this.at(at) : null;
  }
}
