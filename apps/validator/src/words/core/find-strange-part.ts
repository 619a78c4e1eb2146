/** Finds the first part of a text of which the text's language has no more than half: "Send 5 ETH to 0x…. Corrige esta frase." */
import { fold } from "../phrases.ts";
import type { Clause } from "./clauses.ts";
import type { Grammar } from "./grammar.ts";
import { loadPhrases } from "./load-phrases.ts";
import { isValue, type Token } from "./tokens.ts";

export function findStrangePart(clauses: readonly Clause[], grammar: Grammar): Token | null {
  const parts = clauses.flatMap(partsOf).filter((part) => !part.some(isValue));
  return parts.map((part) => findStrange(part, grammar)).find((token) => token !== null) ?? null;
}

function partsOf({ tokens }: Clause): readonly (readonly Token[])[] {
  const parts: Token[][] = [[]];
  for (const token of tokens) {
    if (token.kind === "mark") parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

function findStrange(part: readonly Token[], grammar: Grammar): Token | null {
  const changed = part.find((_, at) => changesInAnother(part, at, grammar));
  if (changed !== undefined) return changed;
  let known = 0;
  for (let at = 0; at < part.length;) {
    const taken = grammar.knows(part, at);
    known += taken;
    at += Math.max(1, taken);
  }
  if (2 * known > part.length) return null;
  return (
    (part.length === 1
      ? part.find(changesElsewhere)
      : part.find((_, at) => isStrange(part, at, known, grammar))) ?? null
  );
}

const isStrange = (part: readonly Token[], at: number, known: number, grammar: Grammar): boolean =>
  grammar.isForeign(part, at) || (known === 0 && /^\p{Ll}/u.test(part[at]?.text ?? ""));

const changing = new Set(
  ["en", "es", "pt", "fr", "de"].flatMap((language) => {
    const phrases = loadPhrases(language);
    return [...(phrases.get("frames") ?? []), ...(phrases.get("neg") ?? [])].map(fold);
  }),
);

const LONGEST = 5;

/** "Over my dead body" in a French text: several words that change a request in another language and are not all known in this one. */
function changesInAnother(part: readonly Token[], at: number, grammar: Grammar): boolean {
  for (let length = 2; length <= Math.min(LONGEST, part.length - at); length += 1) {
    const words = part.slice(at, at + length);
    const isOther = words.some((word, next) => word.kind === "word" && grammar.knows(part, at + next) === 0);
    if (isOther && changing.has(words.map(({ low }) => low).join(" "))) return true;
  }
  return false;
}

/** One unknown word is a name or a thing, unless it changes a request in another language: "Keineswegs." */
const changesElsewhere = ({ kind, low }: Token): boolean => kind === "word" && changing.has(low);
