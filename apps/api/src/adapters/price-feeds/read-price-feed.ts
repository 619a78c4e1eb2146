// Reads a price feed on a chain (Chainlink's AggregatorV3Interface).
import type { Hex } from "@countersign/wire";
import { parseAbi } from "viem";
import type { Node } from "../chain/index.ts";

export type FeedPrice = {
  /** Dollars for a whole unit, times 10^18, rounded up. */
  readonly usd: bigint;
  /** When the feed last changed it. */
  readonly asOf: Date;
};

const abi = parseAbi([
  "function decimals() view returns (uint8)",
  "function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)",
]);

const scale = 18;
const mostDecimals = 36;
const lastSecond = 2n ** 40n;

/** Rounded up, because limits bound what leaves. */
const scaled = (answer: bigint, decimals: number): bigint =>
  decimals <= scale
    ? answer * 10n ** BigInt(scale - decimals)
    : (answer + 10n ** BigInt(decimals - scale) - 1n) / 10n ** BigInt(decimals - scale);

/** Throws if the feed does not answer, or has no usable price. */
export async function readPriceFeed({ client, ask }: Node, address: Hex): Promise<FeedPrice> {
  const [decimals, [, answer, , updatedAt]] = await ask(() =>
    Promise.all([
      client.readContract({ address, abi, functionName: "decimals" }),
      client.readContract({ address, abi, functionName: "latestRoundData" }),
    ]),
  );
  if (answer <= 0n || updatedAt === 0n || updatedAt > lastSecond || decimals > mostDecimals)
    throw new Error(`the price feed ${address} has no price`);
  return { usd: scaled(answer, decimals), asOf: new Date(Number(updatedAt) * 1000) };
}
