import type { Log } from "@countersign/platform/log";
import { startRounds } from "@countersign/platform/rounds";
import type { ChainReader } from "../../adapters/chain/index.ts";
import type { Transition } from "../transition.ts";
import { makeSightings } from "./sightings.ts";
import type { WatchStore } from "./store/executions.ts";
import { makeWatchChain } from "./watch-chain.ts";
import { makeWatchUses } from "./watch-uses.ts";

type Parts = {
  /** One per configured chain. */
  readonly chains: readonly ChainReader[];
  readonly store: WatchStore;
  readonly transition: Pick<Transition, "change">;
  readonly log: Log;
  readonly everyMs?: number;
};

export type Watching = {
  /** By chain, how many blocks were left to read at the last round. Chains that were never reached are missing. */
  readonly lag: () => ReadonlyMap<number, number>;
  /** Waits for the current rounds, which end at their next block. */
  readonly stop: () => Promise<void>;
};

/**
 * Watches each chain separately until it is stopped, so that a failure of one does not affect another. For a
 * worker.
 */
export function startWatching({ chains, store, transition, log, everyMs = 1_000 }: Parts): Watching {
  const lags = new Map<number, number>();
  const loops = chains.map((chain) => {
    const sightings = makeSightings({ transition, chain });
    const uses = makeWatchUses({ chain, store: store.uses, transition, log });
    const watch = makeWatchChain({ chain, store, sightings, uses, log });
    const key = String(chain.chainId);
    return startRounds({
      everyMs,
      run: async (signal) => {
        lags.set(chain.chainId, await watch(signal));
      },
      onError: (error) => {
        log.warn("chain not read, retrying", { key, error });
      },
    });
  });
  return {
    lag: () => new Map(lags),
    stop: async () => {
      await Promise.all(loops.map(({ stop }) => stop()));
    },
  };
}
