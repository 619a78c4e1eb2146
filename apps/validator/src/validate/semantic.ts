/**
 * Where a language model may help. It is asked at most three questions, and an answer is filed under its question: there is
 * no way to name a check here, so none that guards money can be reached.
 */
import type { Intent, Opinion, Reading } from "../facts.ts";

export const asks = ["consistency", "pressure", "purpose"] as const;
export type Ask = (typeof asks)[number];

/** No metadata and no bytes: what is not here cannot be sent. */
export type SemanticInput = {
  readonly words: string;
  readonly intent: Intent;
  readonly reading: Reading;
  readonly chain: number;
  /** The questions still worth asking. */
  readonly asks: readonly Ask[];
};

export type SemanticAnswer = {
  readonly opinions: Readonly<Partial<Record<Ask, Opinion>>>;
  /** Calls that reached the provider. An answer remembered from before is none. */
  readonly calls: number;
  /** What was made to be asked, without secrets, for `return_prompts`. */
  readonly prompts: readonly string[];
};

export type Semantic = {
  /** The pinned model. */
  readonly model: string;
  /** `resting`: it failed too often, and is left alone for a while. */
  readonly state: () => "ok" | "resting";
  readonly ask: (input: SemanticInput) => Promise<SemanticAnswer>;
};
