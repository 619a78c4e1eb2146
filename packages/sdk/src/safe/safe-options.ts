import type { GuardOptions } from "../guard/guard-options.ts";
import type { Hex } from "../types.ts";

/** A transaction of a Safe, with all members that its hash covers. */
export type SafeTx = {
  /** The address that the Safe calls. */
  readonly to: Hex;
  /** In wei, from the Safe. */
  readonly value: bigint;
  readonly data: Hex;
  /** 0 is a call. 1 is a delegatecall: code of another contract runs as the Safe. */
  readonly operation: 0 | 1;
  readonly safeTxGas: bigint;
  readonly baseGas: bigint;
  /** If not zero, the Safe refunds gas to `refundReceiver`. */
  readonly gasPrice: bigint;
  readonly gasToken: Hex;
  readonly refundReceiver: Hex;
  readonly nonce: bigint;
};

/** Options of `guardSafe`. */
export type SafeOptions = Omit<GuardOptions, "words" | "wordsToSign"> & {
  /** The user's request, which names the Safe, or a function that returns it for a transaction of the Safe. */
  readonly words: string | ((transaction: SafeTx) => string | Promise<string>);
  /**
   * How many transactions may wait in front of a confirmed one. Default: 0, only the Safe's next nonce is confirmed. A
   * confirmation for a later nonce stays usable until that nonce is used.
   */
  readonly maxAhead?: number;
};
