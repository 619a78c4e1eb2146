import type { ChainReader, Header } from "../../adapters/chain/index.ts";
import type { WatchStore } from "./store/executions.ts";
import type { ReadBlock } from "./store/read-block.ts";

type Parts = {
  readonly chain: Pick<ChainReader, "chainId" | "readHeader">;
  readonly store: Pick<WatchStore, "readEarliest">;
};

type Ends = { readonly head: Header; readonly finalized: bigint };

/**
 * Where to start on a chain that has not been read yet, or that was replaced by another one: at the last
 * final block, because later ones may be replaced, or before the first awaited transaction, because it may
 * have been sent already.
 */
export async function findStart({ chain, store }: Parts, { head, finalized }: Ends): Promise<ReadBlock> {
  const header = async (number: bigint): Promise<Header> => {
    const found = await chain.readHeader(number);
    if (found === undefined)
      throw new Error(`chain ${chain.chainId}: block ${number.toString()} is not there`);
    return found;
  };
  const earliest = await store.readEarliest(chain.chainId, head.timestamp);
  let last = await header(finalized);
  if (earliest === undefined || last.timestamp < earliest) return last;
  // Binary search for the newest older block.
  let older = 0n;
  while (last.number - older > 1n) {
    const middle = await header((older + last.number) / 2n);
    if (middle.timestamp < earliest) older = middle.number;
    else last = middle;
  }
  return header(older);
}
