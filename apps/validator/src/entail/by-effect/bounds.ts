/** The bounds that the request states for a measured change. Only bounds that are exact to the base unit count. */
import { exactly, MAX_UINT, type Amount, type Asset } from "../../effects.ts";
import type { Decimal, Portion, Quantity } from "../../intent.ts";
import { toUnits } from "../decimals.ts";
import { decimalsOf, showFlow, showQuantity } from "../show.ts";
import type { World } from "../world.ts";
import type { Change } from "./changes.ts";

/** Other amounts ("about 100", "$100 of", "some") leave room that the calldata does not limit. */
const exactKinds: readonly Quantity["kind"][] = ["exact", "raw", "all", "share"];

/** Returns what may leave: the measured amount, or the stated maximum. The comparison with the request follows. */
export function boundOutflow(
  portion: Portion | undefined,
  { asset, amount }: Change,
  world: World,
): Amount | string {
  const quantity = portion?.quantity ?? null;
  if (quantity?.kind === "most") {
    const most = unitsOf(quantity.n, asset, world);
    if (most === null) return "The maximum cannot be counted in base units.";
    return { least: -amount, most: -amount > most ? -amount : most };
  }
  if (quantity !== null && exactKinds.includes(quantity.kind)) return exactly(-amount);
  return `The request does not limit what leaves: ${showQuantity(quantity, portion?.asset ?? null)}.`;
}

/** Returns what must arrive: the stated minimum. A string if less arrives, or none is stated. */
export function boundArrival(
  portion: Portion | undefined,
  { asset, amount }: Change,
  world: World,
): Amount | string {
  const quantity = portion?.quantity ?? null;
  const shown = showQuantity(quantity, portion?.asset ?? null);
  if (quantity?.kind !== "least")
    return `The request does not state a minimum (“at least …”) of what arrives: ${shown}.`;
  const least = unitsOf(quantity.n, asset, world);
  if (least === null || least === 0n) return `The minimum cannot be counted in base units: ${shown}.`;
  const place = { chain: world.proposal.chain.id, registry: world.registry };
  if (amount < least) return `Asked for ${shown}. Only ${showFlow(asset, exactly(amount), place)} arrives.`;
  return { least, most: MAX_UINT };
}

function unitsOf(n: Decimal, asset: Asset, { proposal, registry }: World): bigint | null {
  const decimals = decimalsOf(asset, { chain: proposal.chain.id, registry });
  return decimals === null ? null : toUnits(n, decimals);
}
