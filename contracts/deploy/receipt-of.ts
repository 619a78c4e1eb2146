import type { Hex, PublicClient, TransactionReceipt } from "viem";

/**
 * What became of a transaction, once it is in a block. Nobody looks for another in its place: while that is done the next block
 * goes unnoticed, and a chain that makes one only when there is something for it makes no other.
 */
export const receiptOf = (
  client: Pick<PublicClient, "waitForTransactionReceipt">,
  hash: Hex,
): Promise<TransactionReceipt> => client.waitForTransactionReceipt({ hash, checkReplacement: false });
