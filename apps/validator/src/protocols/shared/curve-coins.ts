/**
 * Curve identifies coins by their index in the pool, so a call is readable only with the pool's coins. The table
 * holds the pools that were added by hand, with the coin at each index: as the pool holds it, and before it was
 * wrapped.
 */
import type { Asset } from "../../effects.ts";
import type { Address } from "../../proposal.ts";
import type { CallView } from "../../protocol.ts";
import { assetAt, flow } from "./swap-draft.ts";
import pools from "./curve-pools.json" with { type: "json" };

type Pool = {
  readonly coins: readonly string[];
  /** The coins outside the pool, if the pool unwraps them itself. */
  readonly whole?: readonly string[];
  readonly share?: string;
};

const byChain: Readonly<Record<string, Readonly<Record<string, Pool>>>> = pools;

/** Throws on a pool that is not in the table: its coins and their value are not known. */
const poolOf = (call: CallView): Pool => {
  const pool = byChain[String(call.chain)]?.[call.to];
  if (pool === undefined) throw new Error("the pool is not known");
  return pool;
};

/** The pools' own addresses, by chain. */
export const poolAddresses: Readonly<Record<number, readonly Address[]>> = Object.fromEntries(
  Object.entries(byChain).map(([chain, table]) => [Number(chain), Object.keys(table) as Address[]]),
);

/** `whole`: the coin as it is outside the pool. */
export const coinAt = (call: CallView, place: bigint, whole = false): Asset => {
  const pool = poolOf(call);
  const coins = whole ? (pool.whole ?? pool.coins) : pool.coins;
  const coin = place >= 0n ? coins[Number(place)] : undefined;
  if (coin === undefined) throw new Error("the pool has no coin with that index");
  return assetAt(coin);
};

/** The token of a share in the pool. Newer pools are that token themselves. */
export const shareOf = (call: CallView): Asset => assetAt(poolOf(call).share ?? call.to);

/** One flow for each coin that moves. */
export const eachCoin = (
  call: CallView,
  amounts: readonly bigint[],
  toAmount: (amount: bigint) => Parameters<typeof flow>[1],
  at: string,
): readonly ReturnType<typeof flow>[] =>
  amounts.flatMap((amount, i) =>
    amount === 0n ? [] : [flow(coinAt(call, BigInt(i)), toAmount(amount), `${at}[${i}]`)],
  );
