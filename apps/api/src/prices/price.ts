export type Price = {
  readonly asset: string;
  /** Dollars for a whole unit, times 10^18. */
  readonly usd: bigint;
  /** The feed, as a CAIP-10 id. */
  readonly source: string;
  /** When the feed last changed it. */
  readonly asOf: Date;
};

/** The places of `usd` after the point. */
export const usdPlaces = 18;

type Amount = { readonly asset: string; readonly units: bigint; readonly decimals: number | null };

const dividedUp = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor;

/** Returns the worth in dollars with so many places, rounded up; or the first asset that has no price. */
export function worthOf(
  amounts: readonly Amount[],
  prices: ReadonlyMap<string, Pick<Price, "usd">>,
  places: number,
): { readonly worth: bigint } | { readonly unpriced: string } {
  let worth = 0n;
  for (const { asset, units, decimals } of amounts) {
    const price = prices.get(asset);
    if (price === undefined || decimals === null) return { unpriced: asset };
    worth += dividedUp(units * price.usd * 10n ** BigInt(places), 10n ** BigInt(decimals + usdPlaces));
  }
  return { worth };
}
