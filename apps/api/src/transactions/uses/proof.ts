// The vocabulary of proofs that a released signature was used on the chain.
import type { Hex, Payload } from "@countersign/wire";
import type { MinedTransaction, StateQuestion } from "../../adapters/chain/index.ts";

/**
 * used: on the chain, by exactly this hash. failed: likewise, and without effect. spent: its nonce is used, and it is not proven
 * that it was by this one. unusable: its nonce was cancelled, or used by something else. expired: its time is over, and its
 * nonce was never used.
 */
export const outcomes = ["used", "failed", "spent", "unusable", "expired"] as const;
export type Outcome = (typeof outcomes)[number];

/** Whether it was used, and the block that shows it. */
export type Use = {
  readonly outcome: Outcome;
  /** The transaction that used it. Null if only the state after the block shows it. */
  readonly hash: Hex | null;
  readonly block: bigint;
  readonly blockHash: Hex;
};

/** It did not take effect and never will, so it may count as not used once the block is final. */
export const isUnused = ({ outcome }: Pick<Use, "outcome">): boolean =>
  outcome === "unusable" || outcome === "expired";

export type Released = {
  readonly chainId: number;
  /** The account that signed. */
  readonly escrow: Hex;
  readonly payload: Payload;
  readonly signingHash: Hex;
};

/** A transaction in a block, in lower case, with its events in order: none if it failed. */
export type Mined = Omit<MinedTransaction, "block" | "blockHash">;
export type EventLog = Mined["logs"][number];

export type Judged = {
  readonly outcome: Exclude<Outcome, "expired">;
  /** The transaction alone does not show that the nonce was used: it must be open before this block, and used after it. */
  readonly closesHere?: boolean;
  /** The state after the block that must confirm it, and the outcome if it does not. */
  readonly confirm?: {
    readonly read: StateQuestion;
    readonly holds: (answer: Hex) => boolean;
    readonly otherwise: "spent" | undefined;
  };
};

/** Finds the transactions of a block that may use it: a contract or account, and parts of an event. */
export type Mark = string;
export const markOf = (...parts: readonly string[]): Mark => parts.join(":");

/** Tells the watcher which transactions to look at, and which conclusions they allow. */
export type Proof = {
  readonly kind: string;
  /** The contracts whose events show a use. */
  readonly contracts: readonly Hex[];
  readonly marks: readonly Mark[];
  /** The first second, by the chain's clock, at which it cannot be used. Null if it has no end. */
  readonly endsAt: bigint | null;
  /** Returns the outcome that one transaction shows. Undefined: none for this signature. */
  readonly judge: (mined: Mined) => Judged | undefined;
  readonly state: {
    readonly read: StateQuestion;
    /** Whether its nonce is unused. Undefined if the answer cannot be read. */
    readonly isOpen: (answer: Hex) => boolean | undefined;
    /** The outcome if the nonce was unused, all blocks since were read, and it is used without any event of this one. */
    readonly closedBy: "spent" | "unusable";
  } | null;
};

/** Whether it cannot be used in a block of that time. */
export const hasEnded = ({ endsAt }: Pick<Proof, "endsAt">, timestamp: bigint): boolean =>
  endsAt !== null && timestamp >= endsAt;
