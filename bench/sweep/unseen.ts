// Sentences by authors who had seen neither the validator nor the sentences of the sweep: `unseen-<number>.json`.
import { readFileSync } from "node:fs";
import type { ByLanguage, Language } from "./phrases.ts";

type Lists = Readonly<Record<Language, readonly string[]>>;
type Written = { readonly changing: Readonly<Record<string, Lists>>; readonly harmless: Lists };

const joined = (lists: Lists): ByLanguage => ({
  ...{ en: lists.en.join("|"), es: lists.es.join("|"), pt: lists.pt.join("|") },
  ...{ fr: lists.fr.join("|"), de: lists.de.join("|"), zh: lists.zh.join("|") },
});

export function readUnseen(number: string): {
  readonly changing: Readonly<Record<string, ByLanguage>>;
  readonly harmless: ByLanguage;
} {
  const file = new URL(`unseen-${number}.json`, import.meta.url);
  const { changing, harmless } = JSON.parse(readFileSync(file, "utf8")) as Written;
  const kinds = Object.entries(changing).map(([kind, lists]) => [kind, joined(lists)] as const);
  return { changing: Object.fromEntries(kinds), harmless: joined(harmless) };
}
