// Texts about the use of a released signature.
import type { TransactionView } from "@countersign/sdk";
import type { Tone } from "../../components/badge.tsx";

type Use = NonNullable<TransactionView["use"]>;
type Outcome = NonNullable<Use["outcome"]>;

type UseWords = {
  readonly tone: Tone;
  /** In the list. */
  readonly status: string;
  readonly word: string;
  readonly detail: string;
};

const final: Readonly<Record<Outcome, UseWords>> = {
  used: { tone: "good", status: "Used", word: "Used on the chain", detail: "It can’t be used again." },
  failed: {
    ...{ tone: "bad", status: "Used, failed", word: "Used, and failed" },
    detail: "The chain has it, and it had no effect. It can’t be used again.",
  },
  spent: {
    ...{ tone: "open", status: "Nonce used", word: "Its nonce is used" },
    detail: "We can’t prove whether this one used it, or something else did. It can’t be used any more.",
  },
  unusable: {
    ...{ tone: "over", status: "Not used", word: "Not used" },
    detail: "Its nonce was cancelled, or used by something else. It can’t be used any more.",
  },
  expired: {
    ...{ tone: "over", status: "Not used", word: "Expired without being used" },
    detail: "It can’t be used any more.",
  },
};

/** While the block can still be replaced, the page does not say that it was not used. */
const recent: Readonly<Partial<Record<Outcome, UseWords>>> = {
  used: { ...final.used, tone: "waiting", word: "Used, not final yet", detail: "" },
  failed: { ...final.failed, word: "Used and failed, not final yet", detail: "" },
  spent: { ...final.spent, word: "Its nonce is used, not final yet", detail: "" },
};

/** Returns where the chain shows it. Undefined while nothing is known. */
export const placeOf = ({ blockNumber }: Use): string | undefined =>
  blockNumber === null ? undefined : `block ${blockNumber}`;

/** Undefined while no use is known, and for a transaction. */
export function useWordsOf({ use }: Pick<TransactionView, "use">): UseWords | undefined {
  if (use?.outcome == null) return undefined;
  const words = (use.final ? final : recent)[use.outcome];
  const place = placeOf(use);
  if (words === undefined || place === undefined) return words;
  const seen = `Seen in ${place}${use.final ? ", which is final" : ", which can still be replaced"}.`;
  return { ...words, detail: `${seen} ${words.detail}`.trim() };
}
