import type { ApprovalOptions } from "../guard/approval-options.ts";
import type { Hex, UserOperation } from "../types.ts";

/** Options of `guardSmartAccount`. */
export type SmartAccountOptions = ApprovalOptions & {
  /** The user's request, or a function that returns it for a user operation. It names the smart account unless that is the proposal's account. */
  readonly words: string | ((operation: UserOperation) => string | Promise<string>);
  /** The account of the proposal, such as the owner of the smart account. Default: the smart account. */
  readonly escrowAddress?: Hex;
  /** The maximum network fee in wei, with all gas that is reserved. Default: 10^17, a tenth of the native token. */
  readonly maxFee?: bigint;
};
