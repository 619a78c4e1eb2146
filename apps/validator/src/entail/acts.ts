/** Decides which acts a verb licenses, given what the transaction does and where. */
import { sameAsset, token, type Asset, type Effect, type EffectAct } from "../effects.ts";
import type { Act, Step } from "../intent.ts";
import { namesDebt } from "../intent/debts.ts";
import { meant } from "./assets.ts";
import type { World } from "./world.ts";

/** Opposite acts. Doing one when the other was asked is the worst mistake: funds move in the wrong direction. */
const opposites: readonly (readonly [EffectAct, EffectAct])[] = [
  ["supply", "withdraw"],
  ["supply", "borrow"],
  ["borrow", "repay"],
  ["withdraw", "borrow"],
  ["wrap", "unwrap"],
  ["stake", "unstake"],
  ["approve", "revoke"],
  ["add_liquidity", "remove_liquidity"],
  ["buy_nft", "sell_nft"],
];

const areOpposite = (said: Act | undefined, done: EffectAct): boolean =>
  opposites.some(([a, b]) => (said === a && done === b) || (said === b && done === a));

/** 1: the verb's first meaning. Less: another of its meanings. 0: not what was asked. */
export function licensesAct(step: Step, effect: Effect, world: World): number {
  if (effect.act === "revoke" && setsToZero(step)) return 1;
  if (effect.admin?.kind === "revoke_delegation" && step.acts.includes("revoke")) return 0.95;
  const at = step.acts.findIndex((act) => act === effect.act);
  if (at === 0) return 1;
  // A verb with two directions has its first meaning: "cancel the approval" never grants one. Debt is never a
  // secondary meaning.
  if (at > 0) return isRuledOut(step, effect, world) ? 0 : 0.95;
  const meanings = step.acts.flatMap(
    (act) => world.protocols.all.get(effect.venue ?? "")?.verbs?.[act] ?? [],
  );
  if (meanings.includes(effect.act)) return 0.9;
  return byAssets(step, effect, world) ? 0.9 : 0;
}

const isRuledOut = (step: Step, effect: Effect, { proposal }: World): boolean =>
  effect.act === "borrow"
    ? !namesDebt(proposal.words.slice(step.span[0], step.span[1]))
    : areOpposite(step.acts[0], effect.act);

/** "Set the allowance to zero" is an approval in form and a revocation in effect. */
const setsToZero = ({ acts, gives }: Step): boolean =>
  acts.includes("approve") &&
  gives.some(({ quantity }) => quantity?.kind === "exact" && quantity.n.digits === 0n);

/** Acts that turn one asset into another one to one, or into a claim on it. */
const conversions = new Set<EffectAct>(["wrap", "unwrap", "stake", "unstake", "supply", "withdraw"]);

/** "Convert 1 ETH to WETH" is a wrap and "swap ETH for stETH at Lido" a stake: the assets decide, whatever the verb. */
function byAssets(step: Step, effect: Effect, world: World): boolean {
  const [get] = step.gets;
  if (!step.acts.includes("swap") || !conversions.has(effect.act) || get?.asset?.kind !== "symbol")
    return false;
  const wanted = meant(get.asset.symbol, world);
  // A protocol that mints its own receipt is itself the token: Lido's contract is stETH.
  const returned = effect.gets.length > 0 ? effect.gets.map(({ asset }) => asset) : receipt(effect);
  return wanted.some((asset) => returned.some((one) => sameAsset(one, asset)));
}

const receipt = ({ target }: Effect): readonly Asset[] => (target === null ? [] : [token(target)]);

/** If the venue uses the other verb for the act (borrowing from Comet is withdrawing), nothing is reversed. */
export const isReversed = (step: Step, effect: Effect, world: World): boolean =>
  licensesAct(step, effect, world) < 0.9 && areOpposite(step.acts[0], effect.act);

const marketSensitive: ReadonlySet<EffectAct> = new Set<EffectAct>([
  "swap",
  "add_liquidity",
  "remove_liquidity",
  "bridge",
  "buy_nft",
  "sell_nft",
]);

/** Whether the result of an act depends on the market, so that waiting costs. */
export const movesWithMarket = (act: EffectAct): boolean => marketSensitive.has(act);
