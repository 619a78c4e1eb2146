/**
 * The questions for a language model: at most three, and each answer belongs to its question. An answer cannot name a
 * check, so it cannot reach one that guards money.
 */
import type { Intent, Opinion, Reading } from "../facts.ts";

export const asks = ["consistency", "pressure", "purpose"] as const;
export type Ask = (typeof asks)[number];

/** Contains no metadata and no calldata, so that they cannot be sent. */
export type SemanticInput = {
  readonly words: string;
  readonly intent: Intent;
  readonly reading: Reading;
  readonly chain: number;
  /** The questions that are still open. */
  readonly asks: readonly Ask[];
};

export type SemanticAnswer = {
  readonly opinions: Readonly<Partial<Record<Ask, Opinion>>>;
  /** Calls that reached the provider, without cached answers. */
  readonly calls: number;
  /** The prompts without secrets, for `return_prompts`. */
  readonly prompts: readonly string[];
};

export type Semantic = {
  /** The pinned model. */
  readonly model: string;
  /** `resting`: it failed too often and is not called for a while. */
  readonly state: () => "ok" | "resting";
  readonly ask: (input: SemanticInput) => Promise<SemanticAnswer>;
};
