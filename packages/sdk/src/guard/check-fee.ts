import { NotApprovedError } from "./not-approved.ts";
import type { Fees } from "./read-send.ts";

/** A tenth of the native token. */
export const defaultMaxFee = 10n ** 17n;

/** An approval does not cover the fee, which could otherwise spend the whole balance. */
export function checkFee({ gas, gasPrice, maxFeePerGas }: Fees, maxFee: bigint): void {
  limitFee((gas ?? 0n) * (maxFeePerGas ?? gasPrice ?? 0n), maxFee, "Not sent");
}

/** Throws a NotApprovedError if the fee, in wei, is above the limit. */
export function limitFee(fee: bigint, maxFee: bigint, refusal: "Not sent" | "Not signed"): void {
  if (fee > maxFee)
    throw new NotApprovedError(`${refusal}: the fee of up to ${fee} wei exceeds the limit of ${maxFee} wei`);
}
