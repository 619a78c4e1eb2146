/** The items of a text, with their places in the original. */
import { settleGroups } from "./grouping.ts";
import { toItems, type Item } from "./items.ts";
import { decimalMarkOf, isClearly, tableFor } from "./language.ts";
import { lex } from "./lex.ts";
import type { Lexicon } from "./lexicon.ts";
import { joinDates } from "./time.ts";
import type { Characters } from "./unicode.ts";

export const readItems = (seen: Characters, lexicon: Lexicon, language: string): Item[] => {
  const table = tableFor(lexicon, language);
  const isName = (word: string): boolean => lexicon.isSymbol(word) || table.phrases.has(word);
  const items = toItems(seen.clean, {
    table,
    lexicon,
    options: { decimalMark: decimalMarkOf(language), isName },
    lex,
  });
  joinDates(items, seen.clean);
  if (decimalMarkOf(language) === ",") settleGroups(items, isClearly(language, seen.clean));
  return items.map((item) => ({ ...item, start: seen.at[item.start] ?? 0, end: seen.at[item.end] ?? 0 }));
};
