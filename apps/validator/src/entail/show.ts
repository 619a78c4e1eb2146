/** Formats assets, amounts and parties for the owner. */
import { MAX_UINT, type Amount, type Asset, type Party } from "../effects.ts";
import type { AssetRef, PartyRef, Quantity } from "../intent.ts";
import type { Registry } from "../registry.ts";
import type { ProvenNames } from "../simulation.ts";
import { fromUnits, showDecimal } from "./decimals.ts";

type Place = { readonly chain: number; readonly registry: Registry };

export function decimalsOf(asset: Asset, { chain, registry }: Place): number | null {
  if (asset.kind === "native") return 18;
  if (asset.kind === "nft") return 0;
  return asset.kind === "token" ? (registry.token(chain, asset.address)?.decimals ?? null) : null;
}

export function symbolOf(asset: Asset, { chain, registry }: Place): string {
  if (asset.kind === "native") return registry.chain(chain)?.coin ?? "the native token";
  if (asset.kind === "unsaid") return "an asset that the transaction does not name";
  if (asset.kind === "nft") return `NFT ${asset.address}${asset.id === null ? "" : ` #${String(asset.id)}`}`;
  return registry.token(chain, asset.address)?.symbol ?? `unknown token ${asset.address}`;
}

const showUnits = (units: bigint, asset: Asset, place: Place): string => {
  const decimals = decimalsOf(asset, place);
  return decimals === null ? `${String(units)} base units of` : fromUnits(units, decimals);
};

/** More than the supply of any token: the number has no meaning. */
const endless = 2n ** 255n;

export function showFlow(asset: Asset, amount: Amount, place: Place): string {
  const symbol = symbolOf(asset, place);
  if (amount.everything) return `all ${symbol}`;
  if (asset.kind === "nft" && amount.most === 1n) return symbol;
  if (amount.most >= endless && amount.least === 0n) return `any amount of ${symbol}`;
  if (amount.least >= endless) return `an unlimited amount of ${symbol}`;
  if (amount.most === MAX_UINT) return `at least ${showUnits(amount.least, asset, place)} ${symbol}`;
  if (amount.least === amount.most) return `${showUnits(amount.most, asset, place)} ${symbol}`;
  return `up to ${showUnits(amount.most, asset, place)} ${symbol}`;
}

export const showParty = (party: Party | null): string => {
  if (party === null) return "no one";
  if (party === "self") return "your wallet";
  return party === "venue" ? "the called contract, which keeps it" : party;
};

export function showAssetRef(asset: AssetRef | null): string {
  if (asset === null) return "an asset you did not name";
  if (asset.kind === "symbol") return asset.symbol;
  if (asset.kind === "address") return `token ${asset.address}`;
  if (asset.kind === "class") return asset.name;
  return [asset.collection ?? "NFT", ...asset.ids.map((id) => `#${String(id)}`)].join(" ");
}

/** A name with its address, if a proven state resolves it. */
export const showPartyRef = (party: PartyRef, names?: ProvenNames): string => {
  if (party.kind === "address") return party.address;
  if (party.kind === "self") return "your wallet";
  if (party.kind === "name") {
    const address = names?.get(party.name)?.address ?? null;
    return address === null ? party.name : `${party.name} (${address})`;
  }
  return party.kind === "venue" ? party.venue : party.label;
};

export function showQuantity(quantity: Quantity | null, asset: AssetRef | null): string {
  const of = showAssetRef(asset);
  if (quantity === null) return of;
  // A row is looked up by its own kind, which the compiler cannot see.
  const text: (quantity: never, of: string) => string = quantityTexts[quantity.kind];
  return text(quantity as never, of);
}

type Of<K extends Quantity["kind"]> = Extract<Quantity, { readonly kind: K }>;
type QuantityTexts = { readonly [K in Quantity["kind"]]: (quantity: Of<K>, of: string) => string };

const quantityTexts: QuantityTexts = {
  exact: ({ n }, of) => `${showDecimal(n)} ${of}`,
  about: ({ n }, of) => `about ${showDecimal(n)} ${of}`,
  most: ({ n }, of) => `at most ${showDecimal(n)} ${of}`,
  least: ({ n }, of) => `at least ${showDecimal(n)} ${of}`,
  range: ({ least, most }, of) => `between ${showDecimal(least)} and ${showDecimal(most)} ${of}`,
  share: ({ bps }, of) => `${fromUnits(bps, 2)} % of your ${of}`,
  all: ({ except }, of) => (except === null ? `all ${of}` : `all ${of} but ${showDecimal(except)}`),
  fiat: ({ n, currency }, of) => `${showDecimal(n)} ${currency} of ${of}`,
  raw: ({ n }, of) => `${String(n)} base units of ${of}`,
  unlimited: (_, of) => `an unlimited amount of ${of}`,
  vague: ({ said }, of) => `“${said}” ${of}`,
};
