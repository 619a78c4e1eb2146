// Reads the configured price feeds again and again, and stores what they say.
import type { Log } from "@countersign/platform/log";
import { startRounds } from "@countersign/platform/rounds";
import type { FeedPrice } from "../adapters/price-feeds/index.ts";
import { sourceOf, type PriceFeed } from "./feed.ts";
import type { PriceStore } from "./store.ts";

type Parts = {
  readonly feeds: readonly PriceFeed[];
  readonly store: Pick<PriceStore, "write" | "keepOnly">;
  readonly readFeed: (feed: PriceFeed) => Promise<FeedPrice>;
  readonly log: Log;
};

/** One feed that fails does not keep the others from being read. Its price grows old, and is then not used. */
export const makeReadAll = ({ feeds, store, readFeed, log }: Parts) =>
  async function readAll(): Promise<void> {
    await store.keepOnly(feeds.map(({ asset }) => asset));
    await Promise.all(
      feeds.map(async (feed) => {
        try {
          const price = await readFeed(feed);
          await store.write({ asset: feed.asset, source: sourceOf(feed), ...price }, feed.freshSeconds);
        } catch (error) {
          log.warn("a price feed could not be read, retrying", { key: feed.asset, error });
        }
      }),
    );
  };

export function startReadingPrices({ everyMs, ...parts }: Parts & { readonly everyMs: number }): {
  readonly stop: () => Promise<void>;
} {
  return startRounds({
    everyMs,
    run: makeReadAll(parts),
    onError: (error) => {
      parts.log.warn("prices could not be stored, retrying", { error });
    },
  });
}
