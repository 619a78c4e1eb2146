/** Amounts in protocol arguments, where the maximum integer means "all of it". */
import { type Amount, everything, exactly, MAX_UINT } from "../../effects.ts";

export const allOrExactly = (amount: bigint): Amount => (amount === MAX_UINT ? everything : exactly(amount));

/** Counted in shares of a pool: the calldata does not show the amount, but at most the whole position can move. */
export const assetsOrShares = (assets: bigint, shares: bigint): Amount => {
  if (assets > 0n && shares > 0n) throw new Error("an amount is given both in assets and in shares");
  return assets > 0n ? exactly(assets) : everything;
};

/** Native value of a call that may return some of it: in the worst case all of it is used. */
export const coinFor = (value: bigint, needed: bigint): Amount =>
  needed === MAX_UINT ? { ...exactly(value), everything: true } : exactly(value);

export const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, one) => total + one, 0n);

/** Returns the loss between two amounts in basis points, rounded up so that a loss never shows as zero. */
export const lossBps = (before: bigint, after: bigint): bigint =>
  before <= 0n || after >= before ? 0n : ((before - after) * 10_000n + before - 1n) / before;

/** The same quantity in other decimals. */
export const rescale = (amount: bigint, from: number, to: number): bigint =>
  to >= from ? amount * 10n ** BigInt(to - from) : amount / 10n ** BigInt(from - to);
