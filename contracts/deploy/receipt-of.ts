import type { Hex, PublicClient, TransactionReceipt } from "viem";

/**
 * Returns the receipt of a transaction once it is in a block. It does not look for a replacement: that could miss the next
 * block, and a chain that mines on demand makes no other.
 */
export const receiptOf = (
  client: Pick<PublicClient, "waitForTransactionReceipt">,
  hash: Hex,
): Promise<TransactionReceipt> => client.waitForTransactionReceipt({ hash, checkReplacement: false });
