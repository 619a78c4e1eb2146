/** English, put together from its data. */
import { bans } from "./english-bans.ts";
import { frames } from "./english-frames.ts";
import { phrases } from "./english-phrases.ts";
import type { Language, OrdinaryClass } from "./types.ts";

export const makeEnglish = (ordinary: Readonly<Record<OrdinaryClass, ReadonlySet<string>>>): Language => ({
  id: "en",
  frames,
  phrases: { ...phrases, ...banPhrases },
  ordinary,
});

const banPhrases = Object.fromEntries(
  bans.map(({ kind, acts, phrases: list }) => [`ban:${kind}${acts === undefined ? "" : `/${acts.join("|")}`}`, list]),
);
