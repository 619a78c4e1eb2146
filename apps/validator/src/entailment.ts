/**
 * Compares request and transaction, slot by slot. `entail/` pairs every step with the effects it licenses and compares
 * them; each check of `intent_alignment` reads the outcome of its own slot.
 */
import type { Where } from "./effects.ts";
import type { Span } from "./intent.ts";

export const slots = [
  "action",
  "direction",
  "asset_in",
  "asset_out",
  "amount",
  "amount_out",
  "usd",
  "share",
  "recipient",
  "name",
  "spender",
  "scope",
  "venue",
  "chain",
  "to_chain",
  "slippage",
  "limit_price",
  "deadline",
  "gas",
  "terms",
  "sequence",
  /** Something the caller picked: a pool, a market, an account, a proposal's id. */
  "choice",
  /** Whether what comes back is worth what is given. */
  "worth",
] as const;
export type Slot = (typeof slots)[number];

/**
 * One part of the request and the matching part of the transaction. Texts are for people: whole units and symbols,
 * quotes.
 */
export type Comparison = {
  readonly slot: Slot;
  /**
   * `cannot_tell`: the request does not determine it, or what it needs (a price, a balance) was not given. `not_read`: part of the
   * request was not read, so that a difference cannot be claimed. Neither passes.
   */
  readonly outcome: "same" | "differs" | "cannot_tell" | "not_read";
  readonly asked: string;
  readonly does: string;
  readonly words: Span | null;
  readonly where: Where | null;
  /** Weakest evidence it rests on (validator.md 5.4): 1 explicit, 0.95 by alias, 0.9 printed precision, 0.85 inferred, 0.7 by policy. */
  readonly confidence: number;
  /** The smallest change that would pass, as an instruction. Empty when the outcome is `same`. */
  readonly fix: string;
};

export type Entailment = {
  readonly comparisons: readonly Comparison[];
  /** Which step licenses which effect (indexes), and by what rule. */
  readonly licences: readonly {
    readonly effect: number;
    readonly step: number | null;
    readonly rule: string;
  }[];
  /**
   * Effects that move value, grant authority, change control or cannot be read, and that the request does not license.
   */
  readonly unlicensed: readonly { readonly effect: number; readonly what: string; readonly where: Where }[];
  /** Terms that were read and that the transaction breaks: something that must not happen, a party it never involves. */
  readonly unmet: readonly { readonly text: string; readonly span: Span; readonly why: string }[];
  /** Parts of the request that no slot took and the transaction does not explain. While there are any, nothing is called different. */
  readonly unread: readonly { readonly text: string; readonly span: Span; readonly why: string }[];
  /** Readings of the same words that lead to different verdicts on money. */
  readonly ambiguous: readonly {
    readonly said: string;
    readonly readings: readonly string[];
    readonly span: Span;
  }[];
};
