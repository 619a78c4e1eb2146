// Spellings of an exact amount. Forms with two honest readings ("1.000") are left out.
import { formatUnits } from "ethers";
import { must } from "../must.ts";
import type { Rng } from "../rng.ts";
import type { Token } from "../types.ts";

const SMALL =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const TENS = "zero ten twenty thirty forty fifty sixty seventy eighty ninety".split(" ");

function inWords(n: number): string | undefined {
  if (n < 20) return SMALL[n];
  if (n < 100) return must(TENS[Math.floor(n / 10)]) + (n % 10 ? `-${must(SMALL[n % 10])}` : "");
  if (n < 1000 && n % 100 === 0) return `${must(SMALL[n / 100])} hundred`;
  if (n < 20_000 && n % 1000 === 0) return `${must(SMALL[n / 1000])} thousand`;
  return undefined;
}

/** Shortest exact decimal: "1500", "0.25". */
export function decimal(amount: bigint, decimals: number): string {
  return formatUnits(amount, decimals).replace(/\.0$/, "");
}

function grouped(text: string): string {
  const [whole = "0", fraction] = text.split(".");
  const spaced = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return fraction ? `${spaced}.${fraction}` : spaced;
}

function suffixed(text: string, rng: Rng): string | undefined {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1000 || value % 100 !== 0) return undefined;
  if (value >= 1_000_000) return undefined;
  return `${value / 1000}${rng.pick(["k", "K"])}`;
}

/** Returns a random exact spelling; digits only in other languages. */
export function spell(amount: bigint, token: Token, rng: Rng, plain: boolean): string {
  const text = decimal(amount, token.decimals);
  if (plain) return text;
  const roll = rng.next();
  if (roll < 0.5) return text;
  if (roll < 0.7) return grouped(text);
  if (roll < 0.85) return suffixed(text, rng) ?? grouped(text);
  const value = Number(text);
  return (Number.isInteger(value) ? inWords(value) : undefined) ?? text;
}

export function symbolText(token: Token, rng: Rng): string {
  const roll = rng.next();
  if (token.native && token.symbol === "ETH" && roll < 0.15) return rng.pick(["ether", "Ether"]);
  if (roll < 0.65) return token.symbol;
  return token.symbol.toLowerCase();
}
