// Composition of prices: what limits in dollars are counted with.
import type { Route } from "@countersign/platform/http";
import type { Log } from "@countersign/platform/log";
import type { Running } from "@countersign/platform/process";
import { makeNode, type Node } from "../adapters/chain/index.ts";
import { readPriceFeed } from "../adapters/price-feeds/index.ts";
import type { Config } from "../config.ts";
import type { Db } from "../platform/db/connect.ts";
import type { PriceFeed } from "../prices/feed.ts";
import { startReadingPrices } from "../prices/keep-up.ts";
import { priceRoutes } from "../prices/routes.ts";
import { makePriceStore } from "../prices/store.ts";

type Parts = { readonly config: Config; readonly db: Db; readonly log: Log };

type Prices = { readonly routes: readonly Route[]; readonly startWork: () => Running };

const nodesFor = (feeds: readonly PriceFeed[], rpcUrls: Config["RPC_URLS"]): ReadonlyMap<number, Node> =>
  new Map(
    feeds.flatMap(({ chainId }) => {
      const urls = rpcUrls[chainId];
      return urls === undefined ? [] : [[chainId, makeNode({ chainId, rpcUrls: urls })] as const];
    }),
  );

export function makePrices({ config, db, log }: Parts): Prices {
  const { PRICE_FEEDS: feeds, PRICES_EVERY_MS: everyMs, READS_PER_MINUTE_PER_IP: readsPerMinute } = config;
  const store = makePriceStore(db);
  return {
    routes: priceRoutes({ store, readsPerMinute }),
    startWork: () => {
      const nodes = nodesFor(feeds, config.RPC_URLS);
      const readFeed = async ({ chainId, address }: PriceFeed) => {
        const node = nodes.get(chainId);
        if (node === undefined) throw new Error(`RPC_URLS has no node for chain ${chainId}`);
        return readPriceFeed(node, address);
      };
      const { stop } = startReadingPrices({ feeds, store, readFeed, log, everyMs });
      return { close: stop };
    },
  };
}
