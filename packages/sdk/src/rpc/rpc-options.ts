import type { GuardOptions } from "../guard/guard-options.ts";
import type { Hex } from "../types.ts";

/** Options of `guardRpc`. */
export type RpcOptions = GuardOptions & {
  /**
   * If set, a signed transaction is answered with its hash at once, and held until it is approved, as by a node with a private pool of
   * transactions. Programs that wait only seconds for a node need this. Called with the hash, and a promise that is
   * rejected if the transaction was not sent.
   */
  readonly onHeld?: (hash: Hex, sent: Promise<Hex>) => void;
};
