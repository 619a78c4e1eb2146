/**
 * A model that proposes readings. It receives the text of a request and nothing else. Its proposals decide nothing:
 * `words/readings/check-reading.ts` must show that each is right.
 */
import type { Facts } from "../facts.ts";
import type { Protocols } from "../protocols/load-protocols.ts";
import type { Reading } from "../words/readings/reading.ts";
import type { Ran } from "./2-run-nodes.ts";
import { severityOf } from "./3-decide.ts";
import { assess } from "./assess.ts";

export type ProposedReading = Reading;

export type Reader = {
  readonly by: { readonly model: string; readonly prompt: number };
  /** Returns null if the model proposes nothing, or fails. Never rejects. */
  readonly propose: (text: string) => Promise<ProposedReading | null>;
};

type Examined = {
  readonly words: string;
  readonly facts: Partial<Facts>;
  readonly ran: readonly Ran[];
};

/** The text to ask a model about, or undefined: only a request that was not understood, and that no critical failure has decided. */
export function textToRead({ words, facts, ran }: Examined, protocols: Protocols): string | undefined {
  const isDecided = ran.some((one) => one.finding.status === "FAIL" && severityOf(one) === "critical");
  const isOpen = !isDecided && assess(facts, protocols).kind === "not_understood";
  return isOpen ? words : undefined;
}
