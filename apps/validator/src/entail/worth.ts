/** Values assets in dollars, for ratios and limits: never for an amount that is compared for equality. */
import type { Asset } from "../effects.ts";
import type { Proposal } from "../proposal.ts";
import type { Registry } from "../registry.ts";
import { isDollar } from "../intent/dollars.ts";
import { decimalsOf, symbolOf } from "./show.ts";

type Place = {
  readonly proposal: Pick<Proposal, "chain" | "context">;
  readonly registry: Registry;
  /** The chain that the asset is on. Default: the chain of the proposal. */
  readonly chain?: number | null;
};

const chainOf = ({ chain, proposal }: Place): number => chain ?? proposal.chain.id;

/** Anyone may call a token USDC: only well-known ones are worth a dollar without a price. */
const isCore = (asset: Asset, chain: number, registry: Registry): boolean =>
  asset.kind === "token" && registry.token(chain, asset.address)?.core === true;

/** Dollars per whole unit, from the caller. A dollar token without a price counts as one dollar. */
function priceOf(asset: Asset, place: Place): number | null {
  const { registry } = place;
  const chain = chainOf(place);
  const symbol = symbolOf(asset, { chain, registry }).toUpperCase();
  const { prices } = place.proposal.context;
  const bare = symbol.replace(/^W(?=ETH$|BTC$|BNB$|AVAX$|POL$|MATIC$)/, "");
  const said =
    prices?.get(symbol) ?? prices?.get(bare) ?? (symbol === "ETH" ? prices?.get("WETH") : undefined);
  return said ?? (isDollar(symbol) && isCore(asset, chain, registry) ? 1 : null);
}

/** Null: the price or the decimals are unknown, or the asset has no unit price. */
export function worth(asset: Asset, units: bigint, place: Place): number | null {
  if (asset.kind === "nft") return null;
  const price = priceOf(asset, place);
  const decimals = decimalsOf(asset, { chain: chainOf(place), registry: place.registry });
  return price === null || decimals === null ? null : (Number(units) / 10 ** decimals) * price;
}
