import type { Tone } from "./badge.tsx";

/** What the arbiter said, in a word. */
export const verdictWords = {
  APPROVED: { tone: "good", word: "Passed" },
  REJECTED: { tone: "bad", word: "Objected" },
  UNDECIDED: { tone: "open", word: "Could not decide" },
} as const satisfies Readonly<Record<string, { readonly tone: Tone; readonly word: string }>>;
