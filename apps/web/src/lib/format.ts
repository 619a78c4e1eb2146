// Formats numbers, times and addresses. Amounts are bigint or string, never number.

/** `1 check`, `2 checks`. */
export const counted = (count: number, one: string, several = `${one}s`): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : several}`;

/** Keeps six hex digits at each end, which look-alike addresses rarely share. */
export const shortHex = (hex: string): string =>
  hex.length <= 18 ? hex : `${hex.slice(0, 8)}…${hex.slice(-6)}`;

/** Formats wei exactly. */
export function fromWei(wei: string, decimals = 18): string {
  const digits = BigInt(wei)
    .toString()
    .padStart(decimals + 1, "0");
  const whole = digits.slice(0, -decimals).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
  const rest = digits.slice(-decimals).replace(/0+$/, "");
  return rest === "" ? whole : `${whole}.${rest}`;
}

const units = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
] as const;
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** `2 minutes ago`, `in 3 hours`. */
export function fromNow(at: Date, now: Date): string {
  const seconds = Math.round((at.getTime() - now.getTime()) / 1000);
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ["second", 1];
  return relative.format(Math.trunc(seconds / size), unit);
}

const exact = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });
const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });

export const exactTime = (at: Date): string => exact.format(at);
export const clockTime = (at: Date): string => clock.format(at);

export const isAddress = (text: string): boolean => /^0x[0-9a-f]{40}$/i.test(text);
export const isHash = (text: string): boolean => /^0x[0-9a-f]{64}$/i.test(text);
