/**
 * Finds the first part of a text that is in another language than the rest. The phrases that change a request are known in the language
 * of the text, so such a part may hold any: "Send 5 ETH to 0x…, doch nicht".
 */
import { clausesOf, type Bit } from "./force/clauses.ts";
import type { Item } from "./items.ts";
import { scoresOf } from "./language.ts";

/** People say "swap" and "market" in every language, so that it takes more to show English. */
const enough = (language: string, other: string): number => (other === "en" && language !== "zh" ? 3 : 2);

export function findOtherLanguage(items: readonly Item[], language: string): Item | null {
  const parts = clausesOf(items).flatMap(({ bits }) => partsOf(bits));
  return parts.find((part) => isOther(part, language))?.[0]?.item ?? null;
}

/** Returns the bits between two marks, without values. */
function partsOf(bits: readonly Bit[]): readonly (readonly Bit[])[] {
  const parts: Bit[][] = [[]];
  for (const bit of bits) {
    if (bit.kind === "mark") parts.push([]);
    else if (bit.kind !== "value") parts.at(-1)?.push(bit);
  }
  return parts;
}

function isOther(part: readonly Bit[], language: string): boolean {
  const words = part.flatMap(({ low }) => low.split(" "));
  const { [language]: own = 0, ...others } = scoresOf(words);
  // One word is thanks, a name or unknown.
  return (
    words.length > 1 &&
    Object.entries(others).some(([other, score]) => score - own >= enough(language, other))
  );
}
