/**
 * The same question for languages without phrases of their own: an unknown word is accepted only where it cannot change a request. That
 * is before the request, in a sentence or part of its own, or after a word such as "for" or "my".
 */
import { isAnchor, isRequest, type Bit, type Clause } from "./clauses.ts";
import { ordinaryWords } from "./ordinary-words.ts";

export function findUnknown(clauses: readonly Clause[], language: string): readonly Bit[] {
  const ordinary = ordinaryWords[language] ?? new Set();
  const known = new Set(clauses.flatMap(({ bits }) => knownIn(bits, ordinary)));
  const isUnknown = (bit: Bit): boolean => isWord(bit) && !known.has(bit);
  const first = clauses.findIndex(isRequest);
  return clauses.flatMap((clause, at) => {
    if (isRequest(clause)) return inRequest(clause.bits, isUnknown);
    return at < first && clause.end === "." ? [] : clause.bits.filter(isUnknown);
  });
}

const isWord = ({ kind, item }: Bit): boolean => kind === "word" && item.k === "word";

/** The longest word of a language that writes no spaces. */
const LONGEST = 4;

/** The bits of ordinary words. A Chinese word can take several bits, one for each character. */
function knownIn(bits: readonly Bit[], ordinary: ReadonlySet<string>): readonly Bit[] {
  const known: Bit[] = [];
  for (let at = 0; at < bits.length;) {
    const run = bits.slice(at, at + LONGEST);
    const length = run.findLastIndex((_, index) => isOrdinary(run.slice(0, index + 1), ordinary)) + 1;
    known.push(...run.slice(0, length));
    at += Math.max(1, length);
  }
  return known;
}

const isOrdinary = (bits: readonly Bit[], ordinary: ReadonlySet<string>): boolean => {
  const [first, ...more] = bits;
  if (first === undefined || !bits.every(isWord)) return false;
  if (more.length === 0) return ordinary.has(first.low) || /^\d/.test(first.low);
  return /^\p{Script=Han}$/u.test(first.low) && ordinary.has(bits.map(({ low }) => low).join(""));
};

function inRequest(bits: readonly Bit[], isUnknown: (bit: Bit) => boolean): readonly Bit[] {
  const start = bits.findIndex(isAnchor);
  const comma = bits.findLastIndex(({ kind, low }, at) => at < start && kind === "mark" && low === ",");
  const found: Bit[] = [];
  let isExplained = false;
  for (const [at, bit] of bits.entries()) {
    if (!isUnknown(bit)) isExplained = /^(?:prep|purpose|my|noise|noteword)$/.test(bit.item.k);
    else if (at > comma && !(at > start && isExplained)) found.push(bit);
  }
  return found;
}
