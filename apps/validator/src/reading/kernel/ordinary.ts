/** Words that hold nothing about money or about whether something is asked for, and the positions in which they may stand. */
import { assetsAt, isMark, lowAt, numbersAt, ofClass, type Source } from "../values.ts";

/** `noun` can head a phrase; `clause` makes a statement of it; `part` only stands beside others. */
export type Ordinary = { readonly end: number; readonly kind: "noun" | "clause" | "part" | "mark" };

const months = new Set("january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec".split(" "));
/** Said behind the noun, or by themselves, these would change when or how often something happens. */
const recurring = new Set("daily weekly monthly yearly annual annually quarterly biweekly fortnightly nightly hourly regular recurring".split(" "));
const dayParts = new Set("monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays morning mornings afternoon afternoons evening evenings night nights noon midnight weekend weekends tonight lunchtime dawn dusk".split(" "));
const idNouns = new Set("invoice week order ticket po ref no number nr resolution proposal unit room apartment apt flat batch sprint phase milestone q lot season gate expense proforma receipt case project chapter epoch level issue pr vol part table lane bay floor suite day episode booking item class form v article clause q1 q2 q3 q4 round task contract grant # file code tank job".split(" "));

/** A name of a chain, venue, collection or asset always means that. */
export const isNamed = (source: Source, at: number): boolean =>
  ["chain", "venue", "collection"].some((cls) => ofClass(source, at, cls).length > 0) || assetsAt(source, at, false).some(({ value }) => value.span[0] === source.tokens[at]?.span[0]);

export function ordinaryAt(source: Source, at: number, first: boolean): readonly Ordinary[] {
  const { tokens, vocabulary } = source;
  const token = tokens[at];
  if (token === undefined) return [];
  if (token.kind === "number" || (token.kind === "mark" && token.mark === "#")) return numberAt(source, at);
  if (token.kind === "mark") return ["/", "-", "–", "&", "'", "’", "%"].includes(token.mark) && token.mark !== "%" ? [{ end: at + 1, kind: "mark" }] : [];
  if (token.kind !== "word") return [];
  const { low } = token;
  const out: Ordinary[] = [];
  for (const cls of ["det", "poss", "small"]) for (const { end } of ofClass(source, at, cls)) out.push({ end, kind: "part" });
  if (isNamed(source, at)) return out;
  for (const cls of ["pron", "cop"]) for (const { end } of ofClass(source, at, cls)) out.push({ end, kind: "clause" });
  if (dayParts.has(low)) return token.possessive ? [{ end: at + 1, kind: "part" }] : out;
  if (months.has(low) && low !== "may" && low !== "march") return isDating(source, at) ? [...out, { end: at + 1, kind: "noun" }] : out;
  if (recurring.has(low)) return isNoun(source, at + 1) ? [...out, { end: at + 1, kind: "part" }] : out;
  if (isNoun(source, at)) out.push({ end: at + 1, kind: "noun" });
  else if (vocabulary.is(low, "adjective") || vocabulary.is(low, "adverb")) out.push({ end: at + 1, kind: "part" });
  if (vocabulary.is(low, "past") || vocabulary.is(low, "present")) out.push({ end: at + 1, kind: "clause" });
  if (out.length === 0 && isUnlistedNoun(source, at)) out.push({ end: at + 1, kind: "noun" });
  if (ofClass(source, at, "role").length > 0 && endsCell(source, at)) out.push({ end: at + 1, kind: "noun" });
  if (out.length === 0 && isProperName(source, at, first)) out.push({ end: at + 1, kind: "noun" });
  return out;
}

export const isNoun = (source: Source, at: number): boolean => {
  const token = source.tokens[at];
  if (token?.kind !== "word") return false;
  const { vocabulary } = source;
  return !dayParts.has(token.low) && !recurring.has(token.low) && (vocabulary.is(token.low, "thing") || vocabulary.is(token.low, "person") || vocabulary.is(token.low, "firstName"));
};

/** The heading of a column. */
const endsCell = (source: Source, at: number): boolean =>
  isMark(source, at + 1, "|") || (isMark(source, at - 1, "|") && (source.tokens[at + 1]?.kind === "line" || source.tokens[at + 1] === undefined));

const prepositions = new Set("for of from with at by about after since per around near".split(" "));

/** A rare word in the place of a noun: "for the podcast jingle". Behind a preposition it can only say what something is for. */
function isUnlistedNoun(source: Source, at: number): boolean {
  const token = source.tokens[at];
  if (token?.kind !== "word" || !/^\p{Ll}{3,}$/u.test(token.text) || source.vocabulary.names.isEnglish(token.low)) return false;
  if (source.vocabulary.matches(source.tokens, at).length > 0 || source.vocabulary.names.isSymbol(token.low)) return false;
  for (let index = at - 1; index >= Math.max(0, at - 6); index -= 1) {
    const low = lowAt(source, index);
    if (prepositions.has(low)) return true;
    const before = source.tokens[index];
    if (before?.kind !== "word") return false;
    const inside = ["the", "my", "our", "a", "an", "her", "his", "their", "your", "this", "that"].includes(low) || isNoun(source, index) || source.vocabulary.is(low, "adjective") || months.has(low);
    if (!inside) return false;
  }
  return false;
}

/** "for October", "October's invoice", "the October delivery"; never "in October". */
const isDating = (source: Source, at: number): boolean => {
  const token = source.tokens[at];
  const before = lowAt(source, at - 1);
  return (token?.kind === "word" && token.possessive) || ["for", "of", "the", "my", "our", "'s"].includes(before) || isNoun(source, at + 1);
};

/** A capitalised word that is in no list, beside other words of its phrase: never by itself, where it could be anything. */
export function isProperName(source: Source, at: number, first: boolean): boolean {
  const token = source.tokens[at];
  if (token?.kind !== "word" || first || !/^\p{Lu}\p{Ll}+/u.test(token.text)) return false;
  if (source.vocabulary.names.isEnglish(token.low) || months.has(token.low) || dayParts.has(token.low) || isNamed(source, at)) return false;
  const before = source.tokens[at - 1];
  return before?.kind === "word" || (before?.kind === "mark" && "&-.".includes(before.mark));
}

/** A number typed by its noun: "4 hours", "three months", "week 46", "invoice #118", "71 years". */
function numberAt(source: Source, at: number): readonly Ordinary[] {
  const hash = isMark(source, at, "#") ? at + 1 : at;
  const before = source.tokens[at - 1];
  const idBefore = before?.kind === "word" && idNouns.has(before.low);
  return numbersAt(source, hash).flatMap((number): Ordinary[] => {
    let end = number.end;
    if (isMark(source, end, "-/") && source.tokens[end + 1]?.kind === "number" && source.tokens[end + 1]?.tight === true) end += 2;
    if (idBefore || (hash > at && !isMark(source, end, "%"))) return [{ end, kind: "noun" }];
    const unit = ofClass(source, end, "unit")[0];
    if (unit !== undefined) return [{ end: unit.end, kind: "noun" }];
    const token = source.tokens[end];
    const counted = token?.kind === "word" && isNoun(source, end) && !source.vocabulary.names.isSymbol(token.low);
    return counted ? [{ end: end + 1, kind: "noun" }] : [];
  });
}
