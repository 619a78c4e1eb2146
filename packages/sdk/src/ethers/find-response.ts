import type { Provider, TransactionResponse } from "ethers";
import { CountersignError } from "../errors.ts";

const tries = 60;
const intervalMs = 500;

/** Returns the transaction once the node knows it, with the guarded provider in it. Waits up to 30 seconds. */
export async function findResponse(provider: Provider, hash: string): Promise<TransactionResponse> {
  const blockNumber = await provider.getBlockNumber();
  for (let round = 0; round < tries; round++) {
    const found = await provider.getTransaction(hash);
    if (found !== null) return found.replaceableTransaction(blockNumber);
    await new Promise((resolve) => setTimeout(resolve, intervalMs));
  }
  throw new CountersignError(`The transaction was sent as ${hash}, but the node does not know it yet`);
}
