import type { Tone } from "./badge.tsx";

/** The three outcomes of a verification. */
export const verdictWords = {
  APPROVED: { tone: "good", word: "Matches" },
  REJECTED: { tone: "bad", word: "Differs" },
  UNDECIDED: { tone: "open", word: "Could not be verified" },
} as const satisfies Readonly<Record<string, { readonly tone: Tone; readonly word: string }>>;
