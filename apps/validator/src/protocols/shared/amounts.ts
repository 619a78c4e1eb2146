/** Amounts as protocols write them, where the largest integer stands for "all of it". */
import { type Amount, everything, exactly, MAX_UINT } from "../../effects.ts";

export const allOrExactly = (amount: bigint): Amount => (amount === MAX_UINT ? everything : exactly(amount));

/** Counted in shares of a pool: the bytes do not tell the amount, but never more than the whole position can move. */
export const assetsOrShares = (assets: bigint, shares: bigint): Amount => {
  if (assets > 0n && shares > 0n) throw new Error("an amount is given both in assets and in shares");
  return assets > 0n ? exactly(assets) : everything;
};

/** Coin sent along with a call that may hand some of it back: in the worst case all of it is used. */
export const coinFor = (value: bigint, needed: bigint): Amount =>
  needed === MAX_UINT ? { ...exactly(value), everything: true } : exactly(value);

export const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, one) => total + one, 0n);

/** What is lost between two amounts, in hundredths of a percent, rounded up so that a loss never shows as none. */
export const lossBps = (before: bigint, after: bigint): bigint =>
  before <= 0n || after >= before ? 0n : ((before - after) * 10_000n + before - 1n) / before;

/** The same quantity written with other decimals. */
export const rescale = (amount: bigint, from: number, to: number): bigint =>
  to >= from ? amount * 10n ** BigInt(to - from) : amount / 10n ** BigInt(from - to);
