/** Compares a swap as it was executed with its limit, and with price feeds of the same state. For ratios only. */
import { sameAsset, type Asset, type Effect } from "../effects.ts";
import { statesMaximum, statesMinimum } from "../stated-limits.ts";
import { measuredChange, type ExecutedSwap } from "../simulation.ts";
import { provenWorth } from "./proven.ts";
import type { World } from "./world.ts";

const bps = (part: number, whole: number): number => Math.round((1 - part / whole) * 10_000);

/** Null if the simulation or the amounts are not known, or something else moves, so that a balance shows more than the swap. */
export function executeSwap(effect: Effect, world: World): ExecutedSwap | null {
  const moving = world.reading.effects.filter(({ act }) => act !== "harmless" && act !== "approve");
  const swap = readSwap(effect);
  if (swap === null || moving.length !== 1) return null;
  const { out, into } = swap;
  const [paid, arrived] = [-changeOf(out, world), changeOf(into, world)];
  if (paid <= 0n || arrived <= 0n) return null;
  const { most, least, roomBps } = limitsOf(swap, { paid, arrived });
  const isLimitStated = world.intent.steps.some(swap.isExactOut ? statesMaximum : statesMinimum);
  const lossOf = (leaves: bigint, arrives: bigint): number | null => {
    const [given, got] = [provenWorth(out, leaves, world), provenWorth(into, arrives, world)];
    return given === null || got === null ? null : bps(got, given);
  };
  return {
    ...{ out, into, paid, arrived, isLimitStated, roomBps },
    ...{ lossBps: lossOf(paid, arrived), worstLossBps: lossOf(most, least) },
    where: effect.places["minimum"] ?? effect.where,
  };
}

/** The one swap among the effects. */
export function findExecutedSwap(world: World): ExecutedSwap | undefined {
  const [swap, ...more] = world.reading.effects.filter(({ act }) => act === "swap");
  return swap === undefined || more.length > 0 ? undefined : (executeSwap(swap, world) ?? undefined);
}

/** Returns 0 where the simulation shows no change, or cannot be used. */
function changeOf(asset: Asset, { simulation }: World): bigint {
  if (simulation === undefined) return 0n;
  if (simulation.reverted !== null || simulation.diverged !== null) return 0n;
  return measuredChange(simulation, simulation.account, asset) ?? 0n;
}

type Swap = {
  readonly out: Asset;
  readonly into: Asset;
  readonly most: bigint;
  readonly least: bigint;
  readonly isExactOut: boolean;
};

/** One asset for one other, from the account to the account, on this chain. */
function readSwap({ gives, gets, payer, receiver, toChain, terms }: Effect): Swap | null {
  const [[out, ...moreOut], [into, ...moreIn]] = [gives, gets];
  if (out === undefined || into === undefined || moreOut.length + moreIn.length > 0) return null;
  if (payer !== "self" || receiver !== "self" || toChain !== null || terms.order === true) return null;
  if (sameAsset(out.asset, into.asset)) return null;
  return {
    ...{ out: out.asset, into: into.asset, most: out.amount.most, least: into.amount.least },
    isExactOut: terms.exactOut === true,
  };
}

/** A swap for an exact output is limited by what may leave, any other by what must arrive. */
function limitsOf(
  { most, least, isExactOut }: Swap,
  { paid, arrived }: Pick<ExecutedSwap, "paid" | "arrived">,
): { readonly most: bigint; readonly least: bigint; readonly roomBps: number } {
  return isExactOut
    ? { most: most > paid ? most : paid, least: arrived, roomBps: bps(Number(paid), Number(most)) }
    : { most: paid, least, roomBps: bps(Number(least), Number(arrived)) };
}
