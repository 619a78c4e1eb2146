// Watches the use of released signatures, confirmations, batches and authorizations, along with the blocks of one chain.
import type { Log } from "@countersign/platform/log";
import type { Block, ChainReader, Header } from "../../adapters/chain/index.ts";
import type { Transition } from "../transition.ts";
import { makeCheckUses } from "./check-uses.ts";
import { makeReadUses } from "./read-uses.ts";
import type { ReadBlock } from "./store/read-block.ts";
import { makeUseSightings } from "./use-sightings.ts";
import type { UseStore } from "./store/uses.ts";

type Parts = {
  readonly chain: ChainReader;
  readonly store: UseStore;
  readonly transition: Pick<Transition, "change">;
  readonly log: Log;
};

type Range = { readonly from: bigint; readonly upTo: bigint | undefined };

export type WatchUses = {
  /** Processes every use in a block, before the cursor moves over it. */
  readonly read: (block: Block, head: Header) => Promise<void>;
  /** Checks again those that were seen in other blocks than these. */
  readonly lookAgain: (blocks: readonly ReadBlock[], range: Range) => Promise<void>;
  /** Reads the state after the last block that was read, if it is the newest. */
  readonly check: (last: ReadBlock | undefined) => Promise<void>;
  /** Ends those whose block is final. */
  readonly finish: (finalized: bigint) => Promise<void>;
  /** A round begins. `skips`: some blocks will not be read. */
  readonly begin: (skips: boolean) => Promise<void>;
};

export function makeWatchUses({ chain, store, transition, log }: Parts): WatchUses {
  const { chainId } = chain;
  const sightings = makeUseSightings({ transition, chain, store });
  const check = makeCheckUses({ chain, store, sightings });
  return {
    read: makeReadUses({ chain, store, sightings, log }),
    lookAgain: async (blocks, range) => {
      for (const seen of await store.listStray(chainId, blocks, range)) await sightings.lookAgain(seen);
    },
    check: async (last) => {
      await store.giveUpBatches(chainId);
      if (last !== undefined) await check(last);
    },
    finish: async (finalized) => {
      for (const seen of await store.listUpTo(chainId, finalized)) await sightings.finish(seen);
    },
    begin: (skips) => (skips ? store.forgetOpen(chainId) : store.forgetOpenIfPassed(chainId)),
  };
}
