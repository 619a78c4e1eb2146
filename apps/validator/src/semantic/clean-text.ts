/**
 * Cleans untrusted text for a model: removes everything invisible and masks long runs of hex, which are calldata or a pasted
 * key. Positions in the clean text can be mapped back to the original.
 */
import type { Span } from "../intent.ts";

export type CleanText = { readonly text: string; readonly originOf: (span: Span) => Span };

const blank = /^[\t\n\v\f\r\p{Zs}\p{Zl}\p{Zp}]$/u;
/** Control, format, private-use and unassigned characters, and those that render as nothing. */
const unseen = /^[\p{C}\p{Default_Ignorable_Code_Point}]$/u;
/** Longer than an address. */
const longHex = /[0-9a-fA-F]{41,}/g;

export function cleanText(original: string): CleanText {
  const kept: string[] = [];
  const starts: number[] = [];
  let at = 0;
  for (const character of original) {
    if (blank.test(character) || !unseen.test(character)) {
      kept.push(blank.test(character) ? " " : character);
      for (let unit = 0; unit < character.length; unit += 1) starts.push(at + unit);
    }
    at += character.length;
  }
  const text = kept.join("").replace(longHex, (run) => "#".repeat(run.length));
  const startOf = (index: number): number => starts[index] ?? original.length;
  return { text, originOf: ([from, to]) => [startOf(from), to === 0 ? 0 : startOf(to - 1) + 1] };
}
