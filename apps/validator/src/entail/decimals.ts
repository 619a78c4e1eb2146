/** Converts decimal numbers as people write them to base units, without floats. */
import type { Decimal } from "../intent.ts";

/** Returns the base units of a decimal. Null: it has more decimals than the asset (1.5 of an NFT, 0.0000001 USDC). */
export function toUnits(n: Decimal, decimals: number): bigint | null {
  const shift = decimals - n.scale;
  if (shift > 400 || shift < -400) return null;
  if (shift >= 0) return n.digits * 10n ** BigInt(shift);
  const divisor = 10n ** BigInt(-shift);
  return n.digits % divisor === 0n ? n.digits / divisor : null;
}

/** For ratios only: never for an amount that is compared for equality. */
export const toNumber = (n: Decimal): number => Number(n.digits) / 10 ** n.scale;

/** Formats whole units for display: 1500000 with 6 decimals is `1.5`. */
export function fromUnits(units: bigint, decimals: number): string {
  const sign = units < 0n ? "-" : "";
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, ",");
  const fraction = decimals === 0 ? "" : digits.slice(-decimals).replace(/0+$/, "");
  return fraction === "" ? `${sign}${whole}` : `${sign}${whole}.${fraction}`;
}

export const showDecimal = (n: Decimal): string =>
  n.scale >= 0 ? fromUnits(n.digits, n.scale) : fromUnits(n.digits * 10n ** BigInt(-n.scale), 0);

/** |a − b| ≤ b · bps / 10 000. */
export const within = (a: bigint, b: bigint, bps: bigint): boolean =>
  (a > b ? a - b : b - a) * 10_000n <= b * bps;
