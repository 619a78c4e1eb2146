import type { KeyObject } from "node:crypto";
import type { Account } from "../accounts/index.ts";

export const quorumTypes = ["execution", "agent"] as const;
/** Who acts: whoever executes, or the agent. */
export type QuorumType = (typeof quorumTypes)[number];

/** Which keys together move an account's wallets at the wallet provider. */
export type Quorum = {
  readonly account: Account;
  readonly type: QuorumType;
  readonly displayName: string;
  /** What the provider calls it. */
  readonly quorumId: string;
  readonly threshold: number;
  /** Each in the one form that a key has. */
  readonly p256PublicKeys: readonly string[];
  /** Its key is this service's own, so that it can send by itself. */
  readonly isStatic: boolean;
  readonly note: string | null;
};

/** A quorum as its owner wishes it. */
export type Wish = {
  readonly displayName: string;
  readonly publicKeys: readonly KeyObject[];
  readonly threshold: number;
};
