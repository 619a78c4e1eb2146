import type { ApprovalOptions } from "../guard/approval-options.ts";
import type { NotApprovedError } from "../guard/not-approved.ts";
import type { Hex } from "../types.ts";

/** A payment that an x402 client asks to sign. */
export type Payment = {
  /** The CAIP-2 id of the network. */
  readonly network: `eip155:${number}`;
  /** The token's contract. */
  readonly asset: Hex;
  /** The recipient. */
  readonly payTo: Hex;
  /** The amount in the token's smallest units. */
  readonly amount: bigint;
  /** When the payment can no longer be collected. */
  readonly validBefore: Date;
};

/** Options of `guardPayments`. */
export type PaymentOptions = ApprovalOptions & {
  /**
   * The user's request, or a function that returns it for a payment. The verification service compares amount, asset,
   * recipient and deadline with it.
   */
  readonly words: string | ((payment: Payment) => string | Promise<string>);
  /** The networks on which it may pay, as CAIP-2 ids. */
  readonly networks: readonly `eip155:${number}`[];
  /** The longest time in seconds that a payment may stay valid. Default: 3,600. */
  readonly maxValiditySeconds?: number;
  /** Called with each refusal: the x402 client replaces errors of a signer by its own, with the message only. */
  readonly onRefusal?: (refusal: NotApprovedError) => void;
};
