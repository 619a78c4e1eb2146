import type { Hex } from "@countersign/wire";
import type { Call, FollowingCall, Hardfork } from "../witness.ts";
import type { BlockValues } from "./next-block.ts";
import type { Source } from "./witness-state.ts";

/** A call, or several of one account, and everything that can change the result. */
export type Scene = {
  readonly chainId: bigint;
  readonly hardfork: Hardfork;
  readonly block: BlockValues;
  /** Of the block before. */
  readonly parentHash: Hex;
  readonly call: Call;
  /** Calls of the same sender after `call`. */
  readonly following?: readonly FollowingCall[];
  /**
   * The account that sends one transaction in which the sender makes all calls, as a wallet does. Undefined: an account that can send
   * transactions makes each call as one of its own.
   */
  readonly relayer?: Hex;
  /** The account that has signed for the sender. */
  readonly signer?: Hex;
  readonly source: Source;
  readonly blockHashes: ReadonlyMap<bigint, Hex>;
  /** To be resolved on the same state. They cannot change the result of the call. */
  readonly names: readonly string[];
};
