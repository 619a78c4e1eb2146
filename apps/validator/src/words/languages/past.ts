/** Forms of verbs that tell the past. English is checked by its phrases. */

import { fold } from "../phrases.ts";

const ENDINGS: Readonly<Record<string, RegExp | undefined>> = {
  es: /(?:[éóí]|[aei]mos|aron|ieron|[ai]d[oa]s?)$/u,
  pt: /(?:ei|[aeio]u|[^aeou]i|[aei]mos|[aei]ram|[ai]d[oa]s?)$/u,
  fr: /(?:ée?s?|[^i]is?|us?|ai[st]|aient|erai|eras|erez|eront)$/u,
  de: /(?:^(?:ge|um|ab|aus|ein|be|über|ver|an).*(?:t|en)|te[nt]?)$/u,
};

/** `word` as written: "envié" is a report, and "envie" an order. */
export const tellsPast = (language: string, word: string): boolean =>
  [word.normalize("NFC").toLowerCase(), fold(word)].some((form) => ENDINGS[language]?.test(form) ?? false);
