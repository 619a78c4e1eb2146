/** Compares slippage, price, deadline, gas and partial fills. */
import type { Effect } from "../effects.ts";
import type { Comparison } from "../entailment.ts";
import type { AssetRef, Step } from "../intent.ts";
import { movesWithMarket } from "./acts.ts";
import { likeness } from "./assets.ts";
import { fromUnits, showDecimal, toNumber } from "./decimals.ts";
import { decimalsOf } from "./show.ts";
import { worth } from "./worth.ts";
import { abroad, cannotTell, differs, same, type Pair, type World } from "./world.ts";

/** Tolerances: clocks differ, and a pool fee is not slippage. */
const clockSlack = 90n;
const quoteSlackBps = 100;

export const compareTerms = (pair: Pair, world: World): Comparison[] => [
  ...compareSlippage(pair, world),
  ...comparePrice(pair, world),
  ...compareDeadline(pair, world),
  ...compareGas(pair.step, world),
  ...comparePartial(pair),
];

/** Returns the possible loss of a swap against the caller's prices, in bps. Null: not known. */
export function impliedLossBps(effect: Effect, world: World): number | null {
  const total = (flows: Effect["gives"], pick: "most" | "least", where: World): number | null =>
    flows.reduce<number | null>((sum, flow) => {
      const value = worth(flow.asset, flow.amount[pick], where);
      return sum === null || value === null ? null : sum + value;
    }, 0);
  if (effect.gives.length === 0 || effect.gets.length === 0) return null;
  const paid = total(effect.gives, "most", world);
  const got = total(effect.gets, "least", abroad(effect, world));
  return paid === null || got === null || paid === 0 ? null : Math.round((1 - got / paid) * 10_000);
}

function compareSlippage({ step, effect }: Pair, world: World): Comparison[] {
  const said = step.slippageBps;
  if (said === null || effect.act === "transfer" || effect.act === "approve") return [];
  const shown = {
    slot: "slippage" as const,
    asked: `at most ${fromUnits(said.value, 2)} %`,
    words: said.span,
    where: effect.places["minimum"] ?? effect.where,
  };
  const none = effect.gets.some((flow) => flow.amount.least <= 1n);
  const fix = `Set a minimum within ${fromUnits(said.value, 2)} % of the quote.`;
  if (none) return [differs({ ...shown, does: "no minimum at all", confidence: 1, fix })];
  const loss = impliedLossBps(effect, world);
  if (loss === null)
    return [
      same({ ...shown, does: "a minimum is set; without prices its distance is unknown", confidence: 0.7 }),
    ];
  const found = { ...shown, does: `up to ${(loss / 100).toFixed(2)} %`, confidence: 0.9 };
  return [loss <= Number(said.value) + quoteSlackBps ? same(found) : differs({ ...found, fix })];
}

/** Quote units per base unit that the transaction guarantees. */
function guaranteedPrice(
  { step, effect }: Pair,
  world: World,
): { readonly price: number; readonly selling: boolean } | null {
  const limit = step.limitPrice;
  const [give, get] = [effect.gives[0], effect.gets[0]];
  if (limit === null || give === undefined || get === undefined) return null;
  const here = { chain: world.proposal.chain.id, registry: world.registry };
  const there = { ...here, chain: effect.toChain ?? here.chain };
  const [paid, got] = [decimalsOf(give.asset, here), decimalsOf(get.asset, there)];
  if (paid === null || got === null) return null;
  const amounts = { paid: Number(give.amount.most) / 10 ** paid, got: Number(get.amount.least) / 10 ** got };
  const is = (asset: AssetRef | null): boolean =>
    asset !== null && ((found) => found !== "unknown" && found > 0)(likeness(give.asset, asset, world, true));
  const selling = is(limit.base) || (!is(limit.quote) && step.verb.word.toLowerCase().startsWith("sell"));
  return { selling, price: selling ? amounts.got / amounts.paid : amounts.paid / amounts.got };
}

function comparePrice(pair: Pair, world: World): Comparison[] {
  const limit = pair.step.limitPrice;
  if (limit === null) return [];
  const shown = {
    slot: "limit_price" as const,
    asked: `a price of ${showDecimal(limit.n)}`,
    words: limit.span,
    where: pair.effect.places["minimum"] ?? pair.effect.where,
  };
  const found = guaranteedPrice(pair, world);
  if (found === null)
    return [
      cannotTell({
        ...shown,
        does: "the transaction data does not determine a price",
        confidence: 1,
        fix: "State the minimum to receive instead of a price.",
      }),
    ];
  const wanted = toNumber(limit.n);
  // A price is met if it is no worse than stated: at least, when selling; at most, when buying.
  const ok = found.selling ? found.price >= wanted * 0.9999 : found.price <= wanted * 1.0001;
  const seen = { ...shown, does: `a price of ${found.price.toPrecision(6)}`, confidence: 0.95 };
  return [
    ok
      ? same(seen)
      : differs({ ...seen, fix: `Set the minimum so that the price is ${showDecimal(limit.n)} or better.` }),
  ];
}

function compareDeadline({ step, effect }: Pair, world: World): Comparison[] {
  if (step.deadline === null || effect.authority !== null) return [];
  const { now } = world.proposal;
  const limit = step.deadline.kind === "within" ? now + step.deadline.seconds : step.deadline.unix;
  const shown = {
    slot: "deadline" as const,
    asked: `no later than ${String(limit)} (unix seconds)`,
    words: step.deadline.span,
    where: effect.places["deadline"] ?? effect.where,
  };
  if (effect.deadline === null) {
    if (movesWithMarket(effect.act))
      return [
        cannotTell({
          ...shown,
          does: "no deadline in the transaction data",
          confidence: 1,
          fix: "Use a call with a deadline.",
        }),
      ];
    return [same({ ...shown, does: "happens when it is sent", confidence: 0.7 })];
  }
  const found = { ...shown, does: `until ${String(effect.deadline)}`, confidence: 1 };
  return [
    effect.deadline <= limit + clockSlack && effect.deadline >= now
      ? same(found)
      : differs({ ...found, fix: "Set the deadline within the requested time." }),
  ];
}

function compareGas(step: Step, world: World): Comparison[] {
  const { gas } = world.proposal;
  const price = gas.maxFee ?? gas.price;
  const where = { call: "proposed_tx", field: "gas" };
  const said = step.gas;
  if (said === null) return [];
  const checks = [
    said.maxFeeGwei &&
      price !== null && {
        asked: `${showDecimal(said.maxFeeGwei.value)} gwei`,
        words: said.maxFeeGwei.span,
        ok: Number(price) / 1e9 <= toNumber(said.maxFeeGwei.value),
        does: `${fromUnits(price, 9)} gwei`,
      },
    said.maxLimit &&
      gas.limit !== null && {
        asked: `${String(said.maxLimit.value)} gas`,
        words: said.maxLimit.span,
        ok: gas.limit <= said.maxLimit.value,
        does: `${String(gas.limit)} gas`,
      },
    said.maxCost &&
      price !== null &&
      gas.limit !== null && {
        asked: `${showDecimal(said.maxCost.value)} for gas`,
        words: said.maxCost.span,
        ok: (Number(price) * Number(gas.limit)) / 1e18 <= toNumber(said.maxCost.value),
        does: `${fromUnits(price * gas.limit, 18)} for gas`,
      },
  ];
  return checks.flatMap((check) => {
    if (typeof check !== "object") return [];
    const found = {
      slot: "gas" as const,
      asked: `at most ${check.asked}`,
      does: `up to ${check.does}`,
      words: check.words,
      where,
      confidence: 1,
    };
    return [check.ok ? same(found) : differs({ ...found, fix: `Lower it to ${check.asked}.` })];
  });
}

function comparePartial({ step, effect }: Pair): Comparison[] {
  if (step.partialFill === null || effect.terms.order !== true) return [];
  const found = {
    slot: "terms" as const,
    asked: step.partialFill.value ? "partial fills" : "no partial fills",
    does: effect.terms.partial === true ? "may be filled in part" : "all or nothing",
    words: step.partialFill.span,
    where: effect.places["partial"] ?? effect.where,
    confidence: 1,
  };
  const ok = step.partialFill.value === (effect.terms.partial === true);
  return [ok ? same(found) : differs({ ...found, fix: `Set the order to ${found.asked}.` })];
}
