import type { Hex } from "@countersign/wire";

const transactions = "countersign://transactions/";

export const transactionTemplate = `${transactions}{requestHash}`;
export const accountUri = "countersign://account";

export const uriOf = (requestHash: Hex): string => `${transactions}${requestHash}`;

/** Returns the transaction that a URI names. Accepts only the spelling we write, so that a transaction has one URI. */
export function requestHashIn(uri: string): Hex | undefined {
  const rest = uri.startsWith(transactions) ? uri.slice(transactions.length) : "";
  return /^0x[0-9a-f]{64}$/.test(rest) ? (rest as Hex) : undefined;
}
