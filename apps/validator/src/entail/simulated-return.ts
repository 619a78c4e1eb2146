/** Compares the simulated return of a swap with its minimum and with price feeds of the same state. For ratios only. */
import { exactly, type Asset, type Effect } from "../effects.ts";
import { measuredChange } from "../simulation.ts";
import { provenWorth } from "./proven.ts";
import { showFlow } from "./show.ts";
import type { World } from "./world.ts";

export type SimulatedReturn = {
  /** The amount that arrived, for a person. */
  readonly shown: string;
  /** How much less than the feeds' price arrived, and how much less the minimum would be, in bps. */
  readonly lossBps: number;
  readonly worstLossBps: number;
  /** How far the minimum is below what arrived, in bps. */
  readonly roomBps: number;
};

const bps = (part: number, whole: number): number => Math.round((1 - part / whole) * 10_000);

/** Null if the simulation, the price or the amounts are not known, or something else moves, so that a balance shows more than the swap. */
export function simulatedReturn(effect: Effect, world: World): SimulatedReturn | null {
  const moving = world.reading.effects.filter(({ act }) => act !== "harmless" && act !== "approve");
  const swap = readSwap(effect);
  if (swap === null || moving.length !== 1) return null;
  const [paid, arrived] = [changeOf(swap.out, world), changeOf(swap.into, world)];
  if (paid >= 0n || arrived <= 0n) return null;
  const given = provenWorth(swap.out, -paid, world);
  const got = provenWorth(swap.into, arrived, world);
  const least = provenWorth(swap.into, swap.least, world);
  if (given === null || got === null || least === null) return null;
  const place = { chain: world.proposal.chain.id, registry: world.registry };
  return {
    shown: showFlow(swap.into, exactly(arrived), place),
    lossBps: bps(got, given),
    worstLossBps: bps(least, given),
    roomBps: bps(least, got),
  };
}

/** Returns 0 where the simulation shows no change, or cannot be used. */
function changeOf(asset: Asset, { simulation, proposal }: World): bigint {
  if (simulation === undefined || proposal.actor === null) return 0n;
  if (simulation.reverted !== null || simulation.diverged !== null) return 0n;
  return measuredChange(simulation, proposal.actor, asset) ?? 0n;
}

type Swap = { readonly out: Asset; readonly into: Asset; readonly least: bigint };

/** One asset for one other, from the account to the account, on this chain. */
function readSwap({ gives, gets, payer, receiver, toChain, terms }: Effect): Swap | null {
  const [[out, ...moreOut], [into, ...moreIn]] = [gives, gets];
  if (out === undefined || into === undefined || moreOut.length + moreIn.length > 0) return null;
  if (payer !== "self" || receiver !== "self" || toChain !== null || terms.order === true) return null;
  return { out: out.asset, into: into.asset, least: into.amount.least };
}
