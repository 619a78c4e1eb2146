// Whose balances a report is about: the account's or, if a Safe would pay, the Safe's.
import type { TransactionView } from "@countersign/sdk";

export type Holder = "account" | "safe";

type Proposed = Pick<TransactionView, "escrowAddress" | "tx" | "typedData" | "safeTransaction">;

/** `execTransaction` of a Safe. */
const executesSafe = /^0x6a761202/i;

/** Returns the Safe that would make the proposal's calls, as a call, as a confirmation, or as typed data. */
function safeOf({ tx, typedData, safeTransaction }: Proposed): unknown {
  if (safeTransaction !== null) return safeTransaction.safe;
  if (typedData !== null)
    return typedData.primaryType === "SafeTx" ? typedData.domain["verifyingContract"] : undefined;
  return tx !== null && executesSafe.test(tx.data) ? tx.to : undefined;
}

const isSame = (one: unknown, other: string): boolean =>
  typeof one === "string" && one.toLowerCase() === other.toLowerCase();

/** Returns undefined if the report is about an account that the proposal does not concern. */
export function holderOf(proposed: Proposed, account: string): Holder | undefined {
  if (isSame(proposed.escrowAddress, account)) return "account";
  return isSame(safeOf(proposed), account) ? "safe" : undefined;
}
