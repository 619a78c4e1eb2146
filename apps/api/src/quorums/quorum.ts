import type { KeyObject } from "node:crypto";
import type { Account } from "../accounts/index.ts";

export const quorumTypes = ["execution", "agent"] as const;
/** Who acts: the executor or the agent. */
export type QuorumType = (typeof quorumTypes)[number];

/** The keys that together control an account's wallets at the wallet provider. */
export type Quorum = {
  readonly account: Account;
  readonly type: QuorumType;
  readonly displayName: string;
  /** The provider's id. */
  readonly quorumId: string;
  readonly threshold: number;
  /** Each in its canonical text. */
  readonly p256PublicKeys: readonly string[];
  /** Whether its key is this service's own, so that the service can send on its own. */
  readonly isStatic: boolean;
  readonly note: string | null;
};

/** The quorum that its owner wants. */
export type Wish = {
  readonly displayName: string;
  readonly publicKeys: readonly KeyObject[];
  readonly threshold: number;
};
