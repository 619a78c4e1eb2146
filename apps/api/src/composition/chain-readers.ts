// Composition of what is read from chains: by one node at a time, or by several that must agree.
import type { Metrics } from "@countersign/platform/http";
import type { Log } from "@countersign/platform/log";
import { CannotStart } from "@countersign/platform/process";
import { makeAgreedReader, makeChainReader, type ChainReader } from "../adapters/chain/index.ts";
import type { Config } from "../config.ts";

type Parts = {
  readonly config: Pick<Config, "RPC_URLS" | "MIN_NODES">;
  readonly metrics: Pick<Metrics, "counter">;
  readonly log: Log;
};

/** Makes the reader of each chain that has nodes. Throws if a chain has fewer of them than must agree. */
export function makeChainReaders({ config, metrics, log }: Parts): ReadonlyMap<number, ChainReader> {
  const { RPC_URLS, MIN_NODES: minNodes } = config;
  let differing = 0;
  metrics.counter(
    "rpc_nodes_differ_total",
    "Questions that the nodes of a chain answered differently.",
    () => differing,
  );
  const readers = Object.entries(RPC_URLS).map(([id, urls]): [number, ChainReader] => {
    const chainId = Number(id);
    if (minNodes === 1) return [chainId, makeChainReader({ chainId, rpcUrls: urls })];
    if (urls.length < minNodes)
      throw new CannotStart(
        `MIN_NODES is ${minNodes}, and RPC_URLS has fewer nodes for chain ${chainId}: ${urls.length}`,
      );
    const [first, ...others] = urls;
    const readerOf = (url: string) => makeChainReader({ chainId, rpcUrls: [url] });
    const reader = makeAgreedReader({
      readers: [readerOf(first), ...others.map(readerOf)],
      minNodes,
      onDiffering: ({ question, nodes }) => {
        differing += 1;
        log.warn("chain nodes differ", { key: id, reason: `${question}, nodes ${nodes.join(", ")}` });
      },
    });
    return [chainId, reader];
  });
  return new Map(readers);
}
