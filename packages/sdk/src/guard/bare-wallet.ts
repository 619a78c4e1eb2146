// The wallet behind a guard. Each library's guard provides one, and the rest of the core is the same for all of them.
import type { Authorization, Calls, TypedData } from "@countersign/wire";
import type { Ask } from "../fresh/simulate-fresh.ts";
import type { Hex } from "../types.ts";
import type { ExactCall, Fees } from "./read-send.ts";

/** An approved call, with fees that the caller chose and the most that they may cost. */
export type ExactSend = {
  readonly call: ExactCall;
  readonly fees: Fees;
  readonly chainId: number;
  readonly maxFee: bigint;
};

/** How a wallet sends batches. */
export type BatchSender = {
  /** Whether it can execute all calls together or none of them. If false, it sends one transaction per call. */
  readonly isAtomic: boolean;
  /** Sends exactly these calls, once, and returns the batch's id. */
  readonly send: (calls: Calls, maxFee: bigint) => Promise<string>;
};

/** How a wallet signs EIP-7702 authorizations. */
export type AuthorizationSigner = {
  /** Returns the nonce of the account's next transaction, counting those that are pending. */
  readonly readNonce: () => Promise<number>;
  /** Signs, once, and returns 65 bytes. The core verifies the signature. */
  readonly sign: (authorization: Authorization) => Promise<Hex>;
};

export type BareWallet = {
  readonly address: Hex;
  /** The chain that the wallet is set up for, if it is for one only. */
  readonly chainId?: number | undefined;
  /** Returns the chain that the wallet is on now. */
  readonly readChainId: () => Promise<number>;
  /** Asks the wallet's node. Without it nothing can be simulated before it is sent. */
  readonly ask?: Ask;
  /** Sends exactly this call, once, and returns the transaction's hash. */
  readonly send: (exact: ExactSend) => Promise<Hex>;
  /** Undefined if it cannot send batches. */
  readonly batches?: BatchSender;
  /** Signs, once. The core verifies the signature. */
  readonly signTypedData: (typedData: TypedData) => Promise<Hex>;
  /** Signs a text with EIP-191, once. The core verifies the signature. Undefined if it signs no messages. */
  readonly signMessage?: (message: string) => Promise<Hex>;
  /** Undefined if it signs no authorizations. */
  readonly authorizations?: AuthorizationSigner;
};
