/** Shows that a finished sentence before a request cannot change it. */
import { ClauseWords, FORMULAS, type Part } from "./clause-words.ts";
import type { Clause } from "./clauses.ts";
import { verbs, type Grammar } from "./grammar.ts";
import type { Token } from "./tokens.ts";

/**
 * A finished sentence before the request cannot take it back, unless it is about the text, supposes something, or orders. It may hold
 * unknown words. Something can be denied in it only about a subject.
 */
export function findInStory(words: ClauseWords, from: number, to: number): Token | null {
  const order = words.order({ from, to });
  if (order !== null) return order;
  if (!words.has(from, to, (at) => words.isSubject(at))) return words.at(from);
  return words.rest(from, to, (at) => {
    const isDenied = words.is(at, "neg") > 0;
    if (reaches(words, { from, to }, at) && !isDenied) return 0;
    const formula = words.is(at, ...FORMULAS, "ask");
    if (formula > 0) return formula;
    const hasSubject = words.has(from, at, (index) => words.isSubject(index));
    if (isDenied && words.has(at, to, (index) => words.isAct(index))) return 0;
    if (isDenied || words.at(at)?.kind === "operator") return Number(hasSubject);
    const isAsked = words.is(at - 1, "to", "ask") > 0 && words.is(at, ...verbs) > 0;
    return Number(!words.isAct(at) || (hasSubject && !isAsked));
  });
}

/** May change what follows the sentence. */
const reaches = (words: ClauseWords, part: Part, at: number): boolean =>
  words.isMark(at)
    ? !words.isPause(at)
    : words.changes(at) && !isLocal(words, part, at) && !isReported(words, part, at);

/** The first word that makes what follows something else than a request. */
export function findFrame({ tokens }: Clause, grammar: Grammar): Token | null {
  const words = new ClauseWords(tokens, grammar, []);
  return words.at(
    words.find(
      0,
      words.length,
      (at) =>
        !words.isMark(at) && words.is(at, "frames") > 0 && reaches(words, { from: 0, to: words.length }, at),
    ),
  );
}

/** "The boiler broke": not about the request, which "it" could be, or about its values. */
const isLocal = (words: ClauseWords, { from }: Part, at: number): boolean =>
  words.is(at, "local") >= words.is(at, "frames") &&
  words.is(at, "local") > 0 &&
  words.has(from, at, (index) => words.isSubject(index)) &&
  !words.has(from, at, (index) => words.is(index, "it", "request", "party", "amount") > 0);

/** "My son says the shop takes cards", "The shop takes cards, my son says": its content is in the sentence, so it is not the text that follows. */
function isReported(words: ClauseWords, { from, to }: Part, at: number): boolean {
  if (words.is(at, "speech") < Math.max(1, words.is(at, "frames"))) return false;
  const isThat = (index: number): boolean => words.is(index, "it") > 0 && words.is(index, "explains") === 0;
  if (words.has(at + 1, to, isThat) || !words.has(from, at, (index) => words.isSubject(index))) return false;
  const comma = words.find(from, at, (index) => words.isMark(index));
  return says(words, at + 1, to) || (comma < at && says(words, from, comma));
}

/** A subject with its verb, which is no word that describes something: "a perfect world". */
export function says(words: ClauseWords, from: number, to: number): boolean {
  const subject = words.find(from, to, (at) => words.isSubject(at));
  const isDescribing = (at: number): boolean => words.is(at - 1, "det", "poss", "prep") > 0;
  return words.has(
    subject + 1,
    to,
    (at) => words.is(at, "cop", "did", "can") > 0 || (words.tells(at) > 0 && !isDescribing(at)),
  );
}
