/** Compares the requested amount with the amount that moves, adjusted for the act. */
import { sameAsset, type Effect, type Flow, type Party } from "../effects.ts";
import type { Comparison } from "../entailment.ts";
import type { Portion, Quantity } from "../intent.ts";
import { judgeAmount, type Judged, type Sense } from "./amounts.ts";
import { symbolOf } from "./show.ts";
import { cannotTell, differs, same, type World } from "./world.ts";

export type Setting = { readonly effect: Effect; readonly wrapping: boolean; readonly world: World };

export type Shown = Pick<Comparison, "asked" | "does" | "words" | "where">;

export function compareQuantity(
  portion: Portion,
  flow: Flow,
  sense: Sense,
  setting: Setting & { readonly shown: Shown },
): Comparison[] {
  const { quantity } = portion;
  if (quantity === null) return [];
  const shown = { ...setting.shown, words: quantity.span };
  if (isRest(quantity, flow, setting)) return [same({ ...shown, slot: "share", confidence: 0.85 })];
  const said = capped(quantity, sense, setting);
  const offers = setting.effect.act === "add_liquidity" && sense === "out";
  const moved = offers ? asOffered(flow) : softened(said, flow, sense, setting);
  const judged = judgeAmount(said, moved, sense, setting.world);
  return [spoken(judged, shown)];
}

/** "Wrap 1 ETH and supply all of it": all of what the previous step guarantees. */
const isRest = (quantity: Quantity, flow: Flow, { effect, world }: Setting): boolean =>
  quantity.kind === "all" &&
  quantity.except === null &&
  world.intent.steps.length > 1 &&
  fromBefore(effect, flow, world);

/** If an exact return was requested, the input is a limit: "buy 1 WETH with 3,200 DAI" may cost less. */
function capped(quantity: Quantity, sense: Sense, { effect, world }: Setting): Quantity {
  if (sense !== "out" || effect.terms.exactOut !== true || quantity.kind !== "exact") return quantity;
  const wantsExactly = world.intent.steps.some(({ gets }) =>
    gets.some((got) => got.quantity?.kind === "exact"),
  );
  return wantsExactly ? { kind: "most", n: quantity.n, span: quantity.span } : quantity;
}

/**
 * "Swap 1 ETH for 2500 USDC" states an expectation, not a guarantee; the guarantee may be lower by the stated
 * slippage, or by the operator's limit. "For at least 2500" is taken literally. A listing states its price: what the
 * buyer pays, before the marketplace fee.
 */
function softened(quantity: Quantity, flow: Flow, sense: Sense, { world, effect }: Setting): Flow {
  if (effect.act === "sell_nft") return withFees(flow, effect);
  if (sense !== "floor" || (quantity.kind !== "exact" && quantity.kind !== "about")) return flow;
  if (effect.terms.order === true && effect.act !== "swap") return flow;
  const said = world.intent.steps.find((step) => step.slippageBps !== null)?.slippageBps?.value;
  const bps = said ?? world.policy.maxSlippageBps;
  const least = bps >= 10_000n ? flow.amount.least : (flow.amount.least * 10_000n) / (10_000n - bps) + 1n;
  return { ...flow, amount: { ...flow.amount, least } };
}

/** A pool takes the part of the offer that its price requires: the offer is the amount, never more. */
const asOffered = (flow: Flow): Flow => ({ ...flow, amount: { ...flow.amount, least: flow.amount.most } });

function withFees(flow: Flow, { fees }: Effect): Flow {
  const kept = fees.reduce(
    (sum, { asset, share }) => (sameAsset(asset, flow.asset) && "least" in share ? sum + share.least : sum),
    0n,
  );
  return { ...flow, amount: { ...flow.amount, least: flow.amount.least + kept } };
}

/** Names the amount that the request resolves to, so that the owner sees and signs it. */
const spoken = (judged: Judged, shown: Shown): Comparison => {
  const { slot, confidence, resolved } = judged;
  const asked = resolved === undefined ? shown.asked : `${shown.asked} (${resolved})`;
  const found = { ...shown, asked, slot, confidence };
  if (judged.outcome === "same") return same(found);
  if (judged.outcome === "differs") return differs({ ...found, fix: `Change the amount to ${asked}.` });
  return cannotTell({ ...found, fix: `State the amount as a number: ${judged.why}.` });
};

/** Whether a later effect can spend the output of an effect: it arrives on this chain, and not at another party. */
function staysHere({ toChain, receiver }: Effect, { proposal, reading }: World): boolean {
  const own = new Set<Party | null>(["self", "venue", null, proposal.actor, ...(reading.accounts ?? [])]);
  return (toChain === null || toChain === proposal.chain.id) && own.has(receiver);
}

/** Whether an earlier effect guarantees at least this much. */
export function fromBefore(effect: Effect, flow: Flow, world: World): boolean {
  const place = { chain: world.proposal.chain.id, registry: world.registry };
  const before = world.reading.effects.slice(0, world.reading.effects.indexOf(effect));
  return before.some(
    (earlier) =>
      staysHere(earlier, world) &&
      earlier.gets.some(
        (got) =>
          symbolOf(got.asset, place) === symbolOf(flow.asset, place) &&
          (flow.amount.everything === true || flow.amount.most <= got.amount.least),
      ),
  );
}
