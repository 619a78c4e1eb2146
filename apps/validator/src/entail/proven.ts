/** Balances and prices from the proven state that the transaction was executed on. They take precedence over those of the caller. */
import { sameAsset, type Asset } from "../effects.ts";
import { decimalsOf } from "./show.ts";
import type { World } from "./world.ts";

type Place = Pick<World, "simulation" | "proposal" | "registry" | "reading">;

/** Feeds have eight decimals. */
const feedUnit = 10 ** 8;

/**
 * Returns what the account holds before the transaction, in base units. Null if the simulation cannot be used, or if the
 * transaction also brings the asset in, so that the account holds more when it leaves.
 */
export function provenBalance(asset: Asset, { simulation, reading }: Place): bigint | null {
  if (simulation?.reverted !== null || simulation.diverged !== null) return null;
  if (reading.effects.some(({ gets }) => gets.some((got) => sameAsset(got.asset, asset)))) return null;
  return simulation.balances.find((held) => sameAsset(held.asset, asset))?.before ?? null;
}

/** Returns dollars per whole unit, by the price feed. Null without a feed that answers. */
export function provenPrice(asset: Asset, { simulation }: Place): number | null {
  if (asset.kind !== "native" && asset.kind !== "token") return null;
  const price = simulation?.prices.get(asset.kind === "native" ? "native" : asset.address);
  return price === undefined ? null : Number(price) / feedUnit;
}

/** Returns the worth of an amount in dollars, by the price feed. */
export function provenWorth(asset: Asset, units: bigint, place: Place): number | null {
  const price = provenPrice(asset, place);
  const decimals = decimalsOf(asset, { chain: place.proposal.chain.id, registry: place.registry });
  return price === null || decimals === null ? null : (Number(units) / 10 ** decimals) * price;
}
