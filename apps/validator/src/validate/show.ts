/** Shows assets and amounts in a response, in whole units where our tables have the token. */
import type { Asset, Facts, Registry } from "../facts.ts";

export type Show = {
  readonly asset: (asset: Asset) => Record<string, unknown>;
  readonly units: (asset: Asset, units: bigint) => string;
  /** Null if they are not known. */
  readonly decimals: (asset: Asset) => number | null;
  /** The value if a price is known: for display, never for comparison. */
  readonly worth: (asset: Asset, units: bigint) => { readonly usd?: string };
};

/** More than any supply: the protocol's sentinel for "no limit". */
export const boundless = 2n ** 255n;

/** More money than exists, so the price or the amount is wrong. */
const incredible = 1e15;

export function makeShow(registry: Registry, chain: number, usd: Facts["usd"] | undefined): Show {
  const tokenOf = (asset: Asset) =>
    asset.kind === "token" || asset.kind === "nft" ? registry.token(chain, asset.address) : null;
  const decimals = (asset: Asset): number | null => {
    if (asset.kind === "native") return 18;
    return asset.kind === "token" ? (tokenOf(asset)?.decimals ?? null) : null;
  };
  return {
    decimals,
    asset: (asset) => ({
      kind: asset.kind,
      symbol:
        asset.kind === "native" ? (registry.chain(chain)?.coin ?? null) : (tokenOf(asset)?.symbol ?? null),
      ...("address" in asset ? { address: asset.address } : {}),
      ...(asset.kind === "nft" ? { id: asset.id?.toString() ?? null } : {}),
      ...(asset.kind === "unsaid" ? { why: asset.why } : {}),
    }),
    units: (asset, units) => {
      if (units >= boundless) return "unlimited";
      const places = asset.kind === "native" || asset.kind === "token" ? decimals(asset) : 0;
      return places === null ? `${units.toString()} base units` : pointed(units, places);
    },
    worth: (asset, units) => {
      const dollars = units >= boundless ? null : (usd?.(asset, units) ?? null);
      return dollars === null || dollars >= incredible ? {} : { usd: dollars.toFixed(dollars < 1 ? 4 : 2) };
    },
  };
}

/** Writes units with a decimal point. */
function pointed(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const rest = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return rest === "" ? whole : `${whole}.${rest}`;
}
