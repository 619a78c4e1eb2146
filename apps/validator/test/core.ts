/** Reads texts by their core, for tests. */
import { readCore, type Core, type Unread } from "../src/words/core/read-core.ts";
import { textOf } from "../src/words/core/parts.ts";
import { languageOf } from "../src/words/language.ts";
import { readItems } from "../src/words/read-items.ts";
import type { Item } from "../src/words/items.ts";
import { readCharacters } from "../src/words/unicode.ts";
import { A, B, lexicon } from "./words.ts";

export const itemsIn = (
  text: string,
): { readonly text: string; readonly items: readonly Item[]; readonly language: string } => {
  const seen = readCharacters(text);
  const language = languageOf(seen.clean, lexicon);
  return { text, items: readItems(seen, lexicon, language), language };
};

export const coreOf = (text: string): Core | Unread => readCore(itemsIn(text), lexicon);

/** The sentence that a text asks for, or null. {A} and {B} stand for addresses. */
export function asksFor(text: string): string | null {
  const core = coreOf(text.replaceAll("{A}", A).replaceAll("{B}", B));
  return "parts" in core ? textOf(core.parts).replaceAll(A, "{A}") : null;
}
