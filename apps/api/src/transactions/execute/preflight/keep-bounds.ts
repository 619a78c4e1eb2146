// Compares a fresh simulation with the bounds in the signed report. They come from a proven state, and the snapshot from one node: both must hold.
import { findBreaches, readBounds, type Bounds, type Fresh } from "@countersign/wire";
import type { ChainSimulator, Simulation } from "../../../adapters/chain/index.ts";
import type { Hex } from "../../transaction.ts";
import { nativeAsset, type Effects } from "./effects.ts";

/** none: the report has no proven balances, and the snapshot decides alone. */
type Found = { readonly kind: "none" } | { readonly kind: "bounds"; readonly bounds: Bounds } | Refused;
type Refused = { readonly kind: "refused"; readonly why: string };

export function findBounds(report: unknown, escrow: Hex): Found {
  const read = readBounds(report);
  if ("why" in read) return read.isMalformed ? { kind: "refused", why: read.why } : { kind: "none" };
  return read.account === escrow.toLowerCase()
    ? { kind: "bounds", bounds: read }
    : { kind: "refused", why: "the bounds in the report are those of another account" };
}

/**
 * Whether the node is on the chain that the report was made on, and has that block. late: waiting helps. forked: the
 * state that was approved is no longer part of the chain.
 */
export async function placeOf(
  chain: Pick<ChainSimulator, "readBlockHash">,
  { block }: Bounds,
): Promise<"same" | "late" | "forked"> {
  const hash = await chain.readBlockHash(block.number);
  if (hash === null) return "late";
  return hash.toLowerCase() === block.hash ? "same" : "forked";
}

/** Returns what is outside the bounds, as sentences. */
export function breachesOf(bounds: Bounds, simulation: Simulation, effects: Effects): readonly string[] {
  return findBreaches(bounds, freshOf(bounds, simulation, effects));
}

function freshOf({ account, changes }: Bounds, simulation: Simulation, effects: Effects): Fresh {
  const { succeeded, reason, gained, measured } = simulation;
  if (!succeeded) return { succeeded, reason };
  return {
    succeeded,
    changes: changes.map(({ holder, token }, index) =>
      // Without the network fee, which `measured` includes.
      holder === account && token === null ? gained : (measured[index] ?? null),
    ),
    outgoing: effects.out.flatMap(({ asset, id, amount }) =>
      id === null && asset !== nativeAsset ? [{ token: asset, amount: BigInt(amount) }] : [],
    ),
    allowances: effects.allowances.flatMap(({ kind, asset, spender, amount }) =>
      kind === "amount" ? [{ token: asset, spender, most: BigInt(amount) }] : [],
    ),
  };
}
