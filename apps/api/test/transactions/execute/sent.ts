// The transactions of wallets on the chain so far.
import type { Chain } from "../../../../../tools/stage/chain.ts";
import type { Call, Hex } from "../../../src/transactions/transaction.ts";

const nowhere = "0x0000000000000000000000000000000000000000";

export type Sent = Call & { readonly from: Hex; readonly hash: Hex };

/** Blocks this deep are not read again. */
const settled = 20;

/** Every transaction of any wallet, in the order of the chain. */
export function makeReadSent({ client }: Chain): () => Promise<readonly Sent[]> {
  const known: (readonly Sent[])[] = [];
  const readBlock = async (blockNumber: bigint): Promise<readonly Sent[]> =>
    (await client.getBlock({ blockNumber, includeTransactions: true })).transactions.map(
      ({ from, to, value, input: data, hash }) => ({
        ...{ from: from.toLowerCase() as Hex, to: to ?? nowhere, value, data, hash },
      }),
    );
  return async () => {
    const head = Number(await client.getBlockNumber({ cacheTime: 0 }));
    known.splice(Math.max(0, head - settled));
    for (let number = known.length; number <= head; number += 50)
      known.push(
        ...(await Promise.all(
          Array.from({ length: Math.min(50, head - number + 1) }, (_, index) =>
            readBlock(BigInt(number + index)),
          ),
        )),
      );
    return known.flat();
  };
}
