/**
 * Compares the worth of what arrives with the worth of what leaves: by the request's own minimum, by prices, by a simulation, or
 * because it is the same asset.
 */
import { exactly, sameAsset, type Asset, type Effect } from "../effects.ts";
import type { Comparison, Slot } from "../entailment.ts";
import { needsOf, type EvidenceSource, type Need } from "../evidence.ts";
import type { Portion, Quantity, Step } from "../intent.ts";
import { impliedLossBps } from "./compare-terms.ts";
import type { Compared } from "./pair.ts";
import { showFlow } from "./show.ts";
import { executeSwap } from "./simulated-return.ts";
import { cannotTell, differs, same, type World } from "./world.ts";

export const compareWorth = (pairs: readonly Compared[], world: World): readonly Comparison[] =>
  pairs.flatMap((pair) => (needsOf[pair.effect.act] ?? []).map((need) => compareNeed(need, pair, world)));

/** Evidence for it, evidence against it, or none. */
type Shown = {
  readonly ok: boolean;
  readonly asked: string;
  readonly does: string;
  readonly confidence: number;
} | null;

function compareNeed(need: Need, pair: Compared, world: World): Comparison {
  const { effect } = pair;
  const found = { slot: "worth" as const, where: effect.places["minimum"] ?? effect.where, words: null };
  for (const source of need.by) {
    const shown = sources[source](pair, world);
    if (shown === null) continue;
    const { ok, ...texts } = shown;
    return ok
      ? same({ ...found, ...texts })
      : differs({ ...found, ...texts, fix: "Raise the minimum that must arrive." });
  }
  return cannotTell({
    ...found,
    asked: "a fair return",
    does: "a minimum that we cannot show to be fair",
    confidence: 1,
    fix: "State in the request how much must arrive at least.",
  });
}

const sources: Readonly<Record<EvidenceSource, (pair: Compared, world: World) => Shown>> = {
  stated_floor: statedFloor,
  same_asset: sameAssetArrives,
  prices: byPrices,
  simulation: bySimulation,
};

/** Whether a quantity sets a minimum, not only a maximum. */
const bounding = new Set<Quantity["kind"]>(["exact", "about", "least", "range", "raw", "fiat"]);

/**
 * The portions that a comparison in this slot may use as what arrives. A dollar amount of what is given is not a
 * minimum for the return.
 */
const arriving = ({ gives, gets }: Step, slot: Slot): readonly Portion[] => {
  if (slot === "amount_out") return [...gets, ...gives];
  return slot === "usd" ? gets : [];
};

const isFloor = (step: Step, { slot, outcome, words }: Comparison): boolean => {
  if (outcome !== "same" || words === null) return false;
  if (slot === "limit_price") return true;
  return arriving(step, slot).some(
    ({ quantity }) =>
      quantity !== null &&
      quantity.span[0] === words[0] &&
      quantity.span[1] === words[1] &&
      bounding.has(quantity.kind),
  );
};

function statedFloor({ step, comparisons }: Compared): Shown {
  const floor = comparisons.find((one) => isFloor(step, one));
  return floor === undefined
    ? null
    : { ok: true, asked: floor.asked, does: floor.does, confidence: floor.confidence };
}

const percent = (bps: number): string => `${(bps / 100).toFixed(2)} %`;

/** The token of an asset, by symbol and decimals: the same token has another address on another chain. */
const kindOf = (asset: Asset, chain: number, { registry }: World): string | null => {
  if (asset.kind === "native") {
    const coin = registry.chain(chain)?.coin;
    return coin === undefined ? null : `${coin}/18`;
  }
  const known = asset.kind === "token" ? registry.token(chain, asset.address) : null;
  return known === null ? null : `${known.symbol}/${known.decimals}`;
};

function isSame(out: Asset, into: Asset, { toChain }: Effect, world: World): boolean {
  const here = world.proposal.chain.id;
  if (toChain === null || toChain === here) return sameAsset(out, into);
  const left = kindOf(out, here, world);
  return left !== null && left === kindOf(into, toChain, world);
}

/** Returns the part of the input that a bridge keeps. */
function sameAssetArrives({ step, effect }: Compared, world: World): Shown {
  const [out, ...more] = effect.gives;
  const [into] = effect.gets;
  if (effect.act !== "bridge" || out === undefined || into === undefined || more.length > 0) return null;
  if (out.amount.most === 0n || !isSame(out.asset, into.asset, effect, world)) return null;
  const lost = out.amount.most - into.amount.least;
  const bps = lost <= 0n ? 0n : (lost * 10_000n + out.amount.most - 1n) / out.amount.most;
  const said = step.fee === null ? 0n : (step.fee.bps ?? 500n);
  const most = [world.policy.maxBridgeFeeBps, said, step.slippageBps?.value ?? 0n].reduce((a, b) =>
    b > a ? b : a,
  );
  return {
    ok: bps <= most,
    asked: `at most ${percent(Number(most))} kept by the bridge`,
    does: `the bridge may keep ${percent(Number(bps))}`,
    confidence: 0.95,
  };
}

function byPrices({ step, effect }: Compared, world: World): Shown {
  const loss = impliedLossBps(effect, world);
  if (loss === null) return null;
  const most = Number(step.slippageBps?.value ?? world.policy.maxSlippageBps);
  return {
    ok: loss <= most,
    asked: `at most ${percent(most)} less than the prices say`,
    does: loss <= 0 ? "no less than the prices say" : `up to ${percent(loss)} less than the prices say`,
    confidence: 0.9,
  };
}

/** The price may have moved since the minimum was computed. */
const quoteSlackBps = 50;

/**
 * The minimum must be close to what arrives in the simulation, and what arrives close to the proven price: a pool can be empty or
 * have a price of its own.
 */
function bySimulation({ step, effect }: Compared, world: World): Shown {
  const found = executeSwap(effect, world);
  if (found?.lossBps == null || found.worstLossBps === null) return null;
  const policy = Number(world.policy.maxSlippageBps);
  const { lossBps, worstLossBps, roomBps } = found;
  const place = { chain: world.proposal.chain.id, registry: world.registry };
  const shown = showFlow(found.into, exactly(found.arrived), place);
  const said = step.slippageBps === null ? null : Number(step.slippageBps.value);
  const isClose = said === null ? worstLossBps <= policy : roomBps <= said + quoteSlackBps;
  return {
    ok: isClose && lossBps <= policy,
    asked:
      said === null
        ? `at most ${percent(policy)} less than price feeds say`
        : `a minimum at most ${percent(said)} below what arrives`,
    does: `${shown} arrives in the simulation, ${percent(lossBps)} less than price feeds say; its limit is ${percent(roomBps)} worse`,
    confidence: 0.9,
  };
}
