/** Findings about the characters of a text: those that hide something, and instructions to the reader. */
import type { HardToken, Intent } from "../intent.ts";
import { findInjections } from "./injections.ts";
import { markMoney, type Characters } from "./unicode.ts";

export const aboutCharacters = (
  seen: Characters,
  tokens: readonly HardToken[],
  text: string,
): Pick<Intent, "unicode" | "injections"> => {
  const hard = tokens.filter((token) => token.kind !== "verb").map((token) => token.span);
  const original = (at: number): number => seen.at[at] ?? text.length;
  return {
    unicode: markMoney(seen.findings, hard),
    injections: findInjections(seen.clean).map(({ said, span }) => ({
      said,
      span: [original(span[0]), original(span[1])],
    })),
  };
};
