// Price feeds whose answers are part of the proven state, so that a price needs no service that must be believed.
import { decodeFunctionResult, encodeFunctionData, parseAbi } from "viem/utils";
import type { Hex } from "@countersign/wire";
import type { Machine } from "../engine/machine.ts";

const ethUsd: Hex = "0x5f4ec3df9cbd43714fe2740f5e3616155c5b8419";

/** Chainlink's feeds in US dollars, by chain and asset. All of them have eight decimals. */
const feeds: Readonly<Record<string, Readonly<Partial<Record<Hex | "native", Hex>>>>> = {
  "1": {
    native: ethUsd,
    "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2": ethUsd,
    "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48": "0x8fffffd4afb6115b954bd326cbe7b4ba576818f6",
    "0xdac17f958d2ee523a2206206994597c13d831ec7": "0x3e7d1eab13ad0104d2750b8863b489d65364e32d",
    "0x6b175474e89094c44da98b954eedeac495271d0f": "0xaed0c38402a5d19df6e4c03f4e2dced6e29c1ee9",
  },
};

const abi = parseAbi([
  "function latestRoundData() view returns (uint80 round, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredIn)",
]);
/** The call that a feed answers. */
export const feedCall: Hex = encodeFunctionData({ abi });
export const feedDecimals = 8;

/** The feeds are updated at least once a day. */
const maxAgeSeconds = 90_000n;

export type Price = {
  readonly asset: Hex | "native";
  readonly feed: Hex;
  /** US dollars for one whole unit, in 10^-8. */
  readonly usd: bigint;
};

export const findFeed = (chainId: bigint, asset: Hex | "native"): Hex | undefined =>
  feeds[chainId.toString()]?.[asset];

type Asked = {
  readonly chainId: bigint;
  readonly assets: readonly (Hex | "native")[];
  /** Of the block, in Unix seconds. */
  readonly now: bigint;
};

/** Returns the prices that feeds answer with in this state. A feed that is missing, outdated or not positive gives none. */
export async function readPrices(
  { view }: Pick<Machine, "view">,
  { chainId, assets, now }: Asked,
): Promise<readonly Price[]> {
  const prices: Price[] = [];
  for (const asset of assets) {
    const feed = findFeed(chainId, asset);
    if (feed === undefined) continue;
    const usd = readAnswer(await view(feed, feedCall), now);
    if (usd !== undefined) prices.push({ asset, feed, usd });
  }
  return prices;
}

function readAnswer(data: Hex | undefined, now: bigint): bigint | undefined {
  if (data?.length !== 2 + 5 * 64) return undefined;
  const [, answer, , updatedAt] = decodeFunctionResult({ abi, data });
  return answer > 0n && updatedAt <= now && now - updatedAt <= maxAgeSeconds ? answer : undefined;
}
