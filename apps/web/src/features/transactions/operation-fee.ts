// The largest network fee of a user operation.
import type { TransactionView } from "@countersign/sdk";

type UserOperation = NonNullable<TransactionView["userOperation"]>;

/** The limits of everything that is charged for. */
const limits = [
  ...(["preVerificationGas", "verificationGasLimit", "callGasLimit"] as const),
  ...(["paymasterVerificationGasLimit", "paymasterPostOpGasLimit"] as const),
] as const;

type Fees = Pick<UserOperation, (typeof limits)[number] | "maxFeePerGas">;

/** Returns the most, in wei, that the account or its paymaster pays in advance. Unused gas is credited to the payer at the entry point. */
export function largestFee({ maxFeePerGas, ...gas }: Fees): string {
  const total = limits.reduce((sum, limit) => sum + BigInt(gas[limit]), 0n);
  return (total * BigInt(maxFeePerGas)).toString();
}
