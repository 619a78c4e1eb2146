/** Amounts, assets, parties and times as canonical requests write them: exact, without separators, with full addresses. */
import type { Amount, Asset, Flow } from "../effects.ts";
import type { Decimal } from "../intent.ts";
import type { Registry } from "../registry.ts";
import { decimalsOf } from "../entail/show.ts";

export type Place = { readonly chain: number; readonly registry: Registry };

/** At or above this an allowance is unlimited: no supply reaches it. */
const unlimitedFrom = 2n ** 96n - 1n;
/** More than any supply: the transaction sets no limit. */
const endless = 2n ** 255n;

/** Writes base units as a decimal. Exactly three decimals get a zero, because 1.234 can also be read as 1234. */
export function writeUnits(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = decimals === 0 ? "" : digits.slice(-decimals).replace(/0+$/, "");
  if (fraction === "") return whole;
  return `${whole}.${fraction.length === 3 ? `${fraction}0` : fraction}`;
}

export const writeDecimal = ({ digits, scale }: Decimal): string =>
  scale >= 0 ? writeUnits(digits, scale) : String(digits * 10n ** BigInt(-scale));

/** A symbol of one word: "B-50USDC-50WETH" would be read as several. */
const plainSymbol = /^[A-Za-z][A-Za-z0-9]*$/;

/** A symbol if it can mean only this token on its chain, or else the token's address. */
function nameToken(asset: Asset & { readonly kind: "token" }, { chain, registry }: Place): string | null {
  const symbol = registry.token(chain, asset.address)?.symbol;
  if (symbol === undefined || !plainSymbol.test(symbol)) return null;
  const meant = registry.named(chain, symbol);
  return meant.length === 1 && meant[0]?.address === asset.address ? symbol : null;
}

/** Null: the transaction does not name the asset. */
export function writeAsset(asset: Asset, place: Place): string | null {
  switch (asset.kind) {
    case "native":
      return place.registry.chain(place.chain)?.coin ?? null;
    case "token":
      return nameToken(asset, place) ?? `token ${asset.address}`;
    case "nft":
      return asset.id === null
        ? `collection ${asset.address}`
        : `NFT #${asset.id} of collection ${asset.address}`;
    case "unsaid":
      return null;
  }
}

/** With decimals if our tables have them, or else in base units. */
const count = (units: bigint, asset: Asset, place: Place): string => {
  const decimals = decimalsOf(asset, place);
  if (decimals === null) return `${units} base units of`;
  const isNamed = asset.kind === "native" || (asset.kind === "token" && nameToken(asset, place) !== null);
  return isNamed ? writeUnits(units, decimals) : `${writeUnits(units, decimals)} of`;
};

const writeNft = (asset: Asset & { readonly kind: "nft" }, most: bigint, name: string): string => {
  if (asset.id === null) return `${most} of token ${asset.address}`;
  return most <= 1n ? name : `${most} units of ${name}`;
};

/**
 * Writes a flow. Null: the transaction does not name the asset, or does not limit the amount. On the side that arrives the
 * guaranteed minimum is written, or only the asset if there is none.
 */
export function writeFlow({ asset, amount }: Flow, place: Place, side: "gives" | "gets"): string | null {
  const name = writeAsset(asset, place);
  if (name === null) return null;
  const { least, most } = amount;
  if (asset.kind === "nft") return writeNft(asset, most, name);
  if (amount.everything === true) return `all ${name}`;
  if (least === most) return `${count(most, asset, place)} ${name}`;
  if (side === "gets") return least === 0n ? name : `at least ${count(least, asset, place)} ${name}`;
  return most >= endless ? null : `at most ${count(most, asset, place)} ${name}`;
}

export function writeAllowance(asset: Asset, { most }: Amount, place: Place): string | null {
  const name = writeAsset(asset, place);
  if (name === null || asset.kind === "nft")
    return asset.kind === "nft" && asset.id === null ? `all of ${name}` : name;
  return most >= unlimitedFrom ? `an unlimited amount of ${name}` : `${count(most, asset, place)} ${name}`;
}

export const joinAnd = (parts: readonly string[]): string => parts.join(" and ");

const lastYear = 253_402_300_799n;

/** `2026-01-01 00:00:00 UTC`. Null: later than any calendar, so that it sets no limit. */
export const writeInstant = (unix: bigint): string | null =>
  unix > lastYear
    ? null
    : `${new Date(Number(unix) * 1000).toISOString().slice(0, 19).replace("T", " ")} UTC`;

export type Venues = {
  readonly all: ReadonlyMap<string, { readonly title: string; readonly names: readonly string[] }>;
};

/** A name that our tables know: some titles are descriptions. Null: the venue has no name, like a standard. */
export function writeVenue(venue: string, { all }: Venues): string | null {
  const known = all.get(venue);
  if (known === undefined) return null;
  return known.names.includes(known.title.toLowerCase()) ? known.title : (known.names[0] ?? null);
}
