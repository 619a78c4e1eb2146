/**
 * The kernel of proposed readings. A proposal says which part of a text is what; this shows that it may be used, with the rules that hold for the
 * reader by the core, and returns the canonical sentence of its steps. It trusts nothing in the proposal: every character has a part, values are read
 * from the text, every word must be allowed at its place, and no value can be hidden in a part that asks for nothing.
 */
import type { Span } from "../../intent.ts";
import type { Lexicon } from "../lexicon.ts";
import { sameDecimal } from "../numbers.ts";
import { findMisplaced } from "../core/check-order.ts";
import { findInStory } from "../core/check-story.ts";
import { findUnread as findInClause, isLabel, type Position } from "../core/check-words.ts";
import { ClauseWords, SMALL } from "../core/clause-words.ts";
import { clausesOf, type Clause } from "../core/clauses.ts";
import { findStrangePart } from "../core/find-strange-part.ts";
import { findUnasked } from "../core/find-unasked.ts";
import { phraseFrame, type Values } from "../core/frames.ts";
import { verbs, type Grammar, type Verb } from "../core/grammar.ts";
import type { Part } from "../core/parts.ts";
import {
  findInTail,
  NONE,
  valuesOf,
  withAmount,
  wordsIn,
  type Asked,
  type Core,
  type Text,
} from "../core/read-core.ts";
import { isValue, type Token } from "../core/tokens.ts";
import { isLicensed } from "./check-roles.ts";
import { placePieces, type PieceOf } from "./place-pieces.ts";
import type { ProposedAct, Reading } from "./reading.ts";
import { refuse, type Refused } from "./refused.ts";

/** `stories`: sentences about other values, which have been shown to be over. */
export type Shown = Core & { readonly stories: readonly Span[] };

export function checkReading(given: Text, reading: Reading, lexicon: Lexicon): Shown | Refused {
  const words = wordsIn(given, lexicon);
  if ("unread" in words) return refuse("a part of the text has no meaning that we know", words.unread);
  const { grammar } = words;
  const tokens = withAmount(words.tokens, grammar);
  const placed = placePieces(given.text, tokens, reading);
  if ("refused" in placed) return placed;
  const sections = sectionsOf(clausesOf(tokens, grammar), placed.pieceOf, grammar);
  if (sections === null) return refuse("a step is in several places", null);
  return readSections(sections, { reading, grammar, pieceOf: placed.pieceOf });
}

/** A clause, or the part of a clause that belongs to one step. `step`: null if the clause has no slot. */
type Section = { readonly clause: Clause; readonly step: number | null; readonly isJoined: boolean };
type Known = { readonly reading: Reading; readonly grammar: Grammar; readonly pieceOf: PieceOf };

/** Null if the parts of a step are not together. */
function sectionsOf(
  clauses: readonly Clause[],
  pieceOf: PieceOf,
  grammar: Grammar,
): readonly Section[] | null {
  const sections: Section[] = [];
  let last = -1;
  for (const { tokens, end } of clauses) {
    let from = 0;
    let step: number | null = null;
    let isJoined = false;
    for (const [at, token] of tokens.entries()) {
      const next = pieceOf(token).step;
      if (next === null || next === step) continue;
      if (next < last) return null;
      if (step !== null) {
        sections.push({
          clause: { tokens: withoutJoints(tokens.slice(from, at), grammar), end },
          step,
          isJoined,
        });
        from = at;
        isJoined = true;
      }
      step = next;
      last = next;
    }
    const rest = isJoined ? withoutJoints(tokens.slice(from), grammar) : tokens.slice(from);
    sections.push({ clause: { tokens: rest, end }, step, isJoined });
  }
  return sections;
}

/** "…, and …": what joins two steps. */
function withoutJoints(tokens: readonly Token[], grammar: Grammar): readonly Token[] {
  const isJoint = (_: Token, at: number): boolean =>
    grammar.phraseAt(tokens, at, ["and"]) === 1 || /^[,，、;；]$/u.test(tokens[at]?.low ?? "");
  const from = tokens.findIndex((token, at) => !isJoint(token, at));
  const to = tokens.findLastIndex((token, at) => !isJoint(token, at));
  return from < 0 ? [] : tokens.slice(from, to + 1);
}

function readSections(sections: readonly Section[], known: Known): Shown | Refused {
  const { reading, grammar } = known;
  const first = sections.findIndex(({ step }) => step !== null);
  const told = sections.filter((section, at) => at < first && isTold(section, known));
  const rest = sections.filter((section) => !told.includes(section));
  const steps = readSteps(reading, { ...known, sections: rest });
  if ("refused" in steps) return steps;
  // The order of words in such a language says too much to split a clause.
  if (grammar.words !== null && steps.length !== 1) return refuse("several steps in this language", null);
  const stories = told.map(({ clause }) => clause);
  const unread = findInStories(stories, steps, grammar) ?? findUnread(rest, steps, grammar);
  if (unread !== null) return refuse("we could not tell whether this changes the request", unread);
  const parts = phraseSteps(rest, steps, known);
  if ("refused" in parts) return parts;
  return { parts, ...placeOf(sections, known), stories: told.map(spanOf) };
}

function readSteps({ steps }: Reading, known: Sections): readonly FoundStep[] | Refused {
  const found: FoundStep[] = [];
  for (const [index, act] of steps.entries()) {
    const step = readStep(act, index, known);
    if ("refused" in step) return step;
    found.push(step);
  }
  return found;
}

const firstOf = (found: readonly (Token | null)[]): Token | null =>
  found.find((token) => token !== null) ?? null;

const findInStories = (
  stories: readonly Clause[],
  steps: readonly FoundStep[],
  grammar: Grammar,
): Token | null =>
  firstOf(stories.map((clause) => findInTold(clause, steps, grammar))) ?? findStrangePart(stories, grammar);

/** The first word in the rest of the text that may change a step. */
function findUnread(
  sections: readonly Section[],
  steps: readonly FoundStep[],
  grammar: Grammar,
): Token | null {
  const clauses = sections.map(({ clause }) => clause);
  return (
    (grammar.needsVerb ? null : findUnasked(clauses, NONE, grammar)) ??
    findStrangePart(clauses, grammar) ??
    findInTail(clauses, grammar) ??
    findUnallowed(sections, steps, grammar) ??
    firstOf(steps.map(({ asked }) => findMisplaced(clauses, asked, grammar)))
  );
}

type FoundStep = {
  readonly act: ProposedAct;
  readonly values: Values;
  readonly clauses: readonly Clause[];
  /** In the sections that are not told. */
  readonly asked: Asked;
};

const VERBS: Readonly<Record<ProposedAct, readonly Verb[]>> = {
  pay: ["pay"],
  approve: ["approve"],
  revoke: ["revoke"],
  wrap: ["wrap", "convert"],
  unwrap: ["unwrap", "convert"],
  swap: ["convert", "buy"],
};

type Sections = Known & { readonly sections: readonly Section[] };

/** The values of a step are those of its own sections and of all that have no step, so that none can be left out. */
function readStep(act: ProposedAct, index: number, known: Sections): FoundStep | Refused {
  const { sections } = known;
  const own = sections.filter(({ step }) => step === index || step === null).map(({ clause }) => clause);
  const values = valuesOf(own.flatMap(({ tokens }) => tokens));
  if (values === null) return refuse("a step has two networks or two parties", null);
  const asked = findAsked(act, index, known, values);
  if (asked === null || (asked.verb === null && !mayLackVerb(index, asked, known)))
    return refuse("nothing shows that this step is asked for", null);
  return { act, values, clauses: own, asked };
}

/** A payment without a verb: the first of a list, a row of it, or one that shares the verb of the one before it. */
function mayLackVerb(index: number, { clause }: Asked, known: Sections): boolean {
  const { sections, grammar, reading } = known;
  const payments = reading.steps.slice(Math.max(0, index - 1), index + 1);
  if (grammar.needsVerb || payments.some((act) => act !== "pay")) return false;
  const section = sections[clause];
  return index === 0 || section?.isJoined === true || isRow(section, known);
}

function findAsked(act: ProposedAct, index: number, known: Sections, { money }: Values): Asked | null {
  const { sections, grammar, pieceOf } = known;
  let isNamed = false;
  for (const [
    clause,
    {
      clause: { tokens },
      step,
    },
  ] of sections.entries())
    for (const [at, token] of tokens.entries()) {
      const piece = pieceOf(token);
      if (step !== index || piece.step !== index || piece.as !== "act") continue;
      isNamed = true;
      const length = grammar.phraseAt(tokens, at, verbs);
      const verb = VERBS[act].find((one) => length > 0 && grammar.phraseAt(tokens, at, [one]) === length);
      if (verb === undefined || grammar.phraseAt(tokens, at, ["frames", "neg"]) > length) continue;
      const lead: Clause = { tokens: tokens.slice(0, at + length), end: "sentence" };
      const position = { isBefore: true, act: at, isSigned: false, isLabelled: false, money };
      if (findInClause(lead, position, grammar) === null) return { clause, at, verb };
    }
  const clause = sections.findIndex(
    (section) => section.step === index && section.clause.tokens.some(({ kind }) => kind === "money"),
  );
  return isNamed || clause < 0 ? null : { clause, at: -1, verb: null };
}

const spanOf = ({ clause: { tokens } }: Section): Span => [tokens[0]?.start ?? 0, tokens.at(-1)?.end ?? 0];

/** Only values and the small words between them. */
function isRow(section: Section | undefined, { grammar }: Known): boolean {
  if (section === undefined) return false;
  const words = new ClauseWords(section.clause.tokens, grammar, []);
  return (
    words.rest(
      0,
      words.length,
      (at) => Number(words.isValue(at) || words.isPause(at)) || words.is(at, ...SMALL),
    ) === null
  );
}

/** A finished sentence before the request that the proposal calls a story and that names values. */
const isTold = ({ clause: { tokens, end } }: Section, { pieceOf }: Known): boolean =>
  (end === "sentence" || end === "line") &&
  tokens.some((token) => isValue(token) || token.kind === "rate") &&
  tokens.every((token) => pieceOf(token).as === "story");

/**
 * A sentence about other values must report what was done. It may not name a party, limit anything, or name an amount of the request or the request
 * itself. A request that names no network of its own could mean the one in the sentence.
 */
function findInTold({ tokens }: Clause, steps: readonly FoundStep[], grammar: Grammar): Token | null {
  const words = new ClauseWords(tokens, grammar, []);
  if (grammar.words !== null) return words.at(0);
  const isBarred = (token: Token, at: number): boolean => {
    if (BARRED.has(token.kind) || words.is(at, "it", "request") > 0) return true;
    if (token.kind === "chain") return steps.some(({ values }) => values.chain === null);
    if (token.kind !== "money") return false;
    return steps.some(({ values }) => values.money.some(({ amount }) => sameDecimal(amount, token.amount)));
  };
  const isDone = (_: Token, at: number): boolean => words.is(at, "cop") === 0 && isPast(words, at, grammar);
  return tokens.find(isBarred) ?? (tokens.some(isDone) ? findInStory(words, 0, words.length) : words.at(0));
}

const BARRED = new Set<Token["kind"]>(["address", "rate", "venue", "operator"]);

const isPast = (words: ClauseWords, at: number, grammar: Grammar): boolean =>
  words.is(at, "past") > 0 ||
  ((words.isAct(at) || words.isPredicate(at)) && grammar.isPast(words.tokens, at));

/** The first word that its place does not allow. Words between two steps are held to the rules for words after a request. */
function findUnallowed(
  sections: readonly Section[],
  steps: readonly FoundStep[],
  grammar: Grammar,
): Token | null {
  const first = Math.min(...steps.map(({ asked }) => asked.clause));
  let isSigned = false;
  for (const [at, { clause, step }] of sections.entries()) {
    const owner = step === null ? undefined : steps[step];
    const position: Position = {
      isBefore: at < first,
      act: actIn(at, owner),
      isSigned,
      isLabelled: isLabel(sections[at - 1]?.clause ?? { tokens: [], end: "sentence" }, grammar),
      money: (owner ?? steps[0])?.values.money ?? [],
    };
    const unread = findInClause(clause, position, grammar);
    if (unread !== null) return unread;
    isSigned ||= at > first && grammar.phraseAt(clause.tokens, 0, ["thanks", "greet"]) > 0;
  }
  return null;
}

const actIn = (at: number, step: FoundStep | undefined): number =>
  step?.asked.clause === at && step.asked.verb !== null ? step.asked.at : -1;

/** One canonical sentence for each step, if its values have the parts that the act gives them. */
function phraseSteps(
  sections: readonly Section[],
  steps: readonly FoundStep[],
  { grammar, pieceOf }: Known,
): readonly Part[] | Refused {
  const sentences = steps.map(({ act, values, clauses, asked }): readonly Part[] | null => {
    const sentence = phraseFrame(asked.verb ?? "pay", values, clauses, grammar);
    const [start, ...more] = sentence ?? [];
    if (sentence === null || start === undefined || !isLicensed(act, sentence, pieceOf)) return null;
    // The act is where its verb is, so that the rules around the request know it.
    const verb = asked.verb === null ? undefined : sections[asked.clause]?.clause.tokens[asked.at];
    return [{ text: start.text, token: verb ?? null }, ...more];
  });
  const parts: Part[] = [];
  for (const sentence of sentences) {
    if (sentence === null) return refuse("the values do not fit the act", null);
    if (parts.length > 0) parts.push({ text: " ", token: null });
    parts.push(...sentence);
  }
  return parts;
}

/** Where the text asks for the first step, and where the last finished sentence before it ends. */
function placeOf(sections: readonly Section[], { pieceOf }: Known): Pick<Core, "asked" | "told"> {
  const request = sections.findIndex(({ step }) => step !== null);
  const asked = sections[request]?.clause.tokens.find((token) => pieceOf(token).step === 0);
  const before = sections.findLast(({ clause }, at) => at < request && clause.end !== "mark");
  return {
    asked: [asked?.start ?? 0, asked?.end ?? 0],
    told: before?.clause.tokens.at(-1)?.end ?? 0,
  };
}
