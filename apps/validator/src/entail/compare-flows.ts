/**
 * Compares the assets and amounts of one pair: everything that leaves must be in the request, and everything
 * requested must happen.
 */
import { everything, token, type Effect, type Flow } from "../effects.ts";
import type { Comparison, Slot } from "../entailment.ts";
import type { Portion, Step } from "../intent.ts";
import type { Sense } from "./amounts.ts";
import { flowOf, isAlike, likeness, type Likeness } from "./assets.ts";
import { compareQuantity, fromBefore, type Setting, type Shown } from "./compare-quantities.ts";
import { showAssetRef, showFlow, showQuantity, symbolOf } from "./show.ts";
import { worth } from "./worth.ts";
import { abroad, cannotTell, differs, same, type Pair, type World } from "./world.ts";

/** Acts whose object arrives: "withdraw 5 USDC" names what comes in. */
const inbound = new Set([
  "withdraw",
  "borrow",
  "claim",
  "unstake",
  "unwrap",
  "remove_liquidity",
  "mint",
  "buy_nft",
]);
/** Acts for which the native token and its wrapped form are interchangeable. */
const wrappable = new Set([
  "swap",
  "supply",
  "withdraw",
  "borrow",
  "repay",
  "stake",
  "unstake",
  "bridge",
  "add_liquidity",
  "remove_liquidity",
  "buy_nft",
  "sell_nft",
]);

type Side = {
  readonly portions: readonly Portion[];
  readonly flows: readonly Flow[];
  readonly sense: Sense;
  readonly asset: Slot;
};

/** Acts that move no funds themselves: they concern authority, votes or control. A deployment may be sent with value. */
const unmoving = new Set(["approve", "revoke", "admin", "vote", "cancel", "deploy"]);
const isUnmoving = ({ act, gives }: Effect): boolean =>
  unmoving.has(act) && !(act === "deploy" && gives.some(({ amount }) => amount.most > 0n));

export function compareFlows(pair: Pair, world: World): Comparison[] {
  const { step, effect } = pair;
  if (isUnmoving(effect)) return [];
  if (effect.act === "delegate") return compareVotes(pair, world);
  const { out, back } = sidesOf(step, effect, world);
  return [
    ...compareSide(out, effect, world),
    ...compareSide(back, effect, abroad(effect, world)),
    ...unsaidGives(step, effect, out.portions, world),
    ...unsaidGets(step, effect, world),
    ...sameAbroad(pair, world),
  ];
}

/** The votes are those of the token whose contract is called. */
function compareVotes({ step, effect }: Pair, world: World): Comparison[] {
  const said = step.gives.find(({ asset }) => asset !== null)?.asset ?? null;
  if (said === null || effect.target === null) return [];
  const flow: Flow = { asset: token(effect.target), amount: everything, where: effect.where };
  const found = likeness(flow.asset, said, world, false);
  const place = { chain: world.proposal.chain.id, registry: world.registry };
  const shown = { asked: showAssetRef(said), does: symbolOf(flow.asset, place), words: said.span };
  return [compareAsset(found, "asset_in", { ...shown, where: effect.where })];
}

/** "Bridge 100 USDC to Base" also states what arrives: the same asset, there. */
function sameAbroad({ step, effect }: Pair, world: World): Comparison[] {
  const [said] = step.gives;
  const [arrives] = effect.gets;
  if (effect.act !== "bridge" || step.gets.length > 0 || !said?.asset || arrives === undefined) return [];
  const there = abroad(effect, world);
  const place = { chain: there.proposal.chain.id, registry: world.registry };
  const shown = {
    asked: `${showAssetRef(said.asset)} on the other chain`,
    does: symbolOf(arrives.asset, place),
    words: said.asset.span,
    where: arrives.where,
  };
  return [compareAsset(likeness(arrives.asset, said.asset, there, true), "asset_out", shown)];
}

/** Decides which parts of the request describe what leaves, and which what arrives. */
function sidesOf(step: Step, effect: Effect, world: World): { readonly out: Side; readonly back: Side } {
  const said = {
    ...step,
    gives: objects(step.gives, effect, world),
    gets: objects(step.gets, effect, world),
  };
  const [leaving, arriving] = inbound.has(effect.act) ? sorted(said, effect, world) : [said.gives, said.gets];
  const exact =
    effect.terms.exactOut === true ||
    (effect.act !== "swap" && effect.act !== "sell_nft" && effect.act !== "bridge");
  return {
    out: { portions: leaving, flows: effect.gives, sense: "out", asset: "asset_in" },
    back: { portions: arriving, flows: effect.gets, sense: exact ? "in" : "floor", asset: "asset_out" },
  };
}

/** "Deposit 5 DAI in sDAI" names the vault by its share: a place, not an object. */
function objects(portions: readonly Portion[], effect: Effect, world: World): readonly Portion[] {
  const { target } = effect;
  if (target === null || !vaults.has(effect.act)) return portions;
  const isVault = ({ asset, quantity }: Portion): boolean =>
    asset !== null && quantity === null && isAlike(likeness(token(target), asset, world, false));
  return portions.filter((portion) => !isVault(portion));
}

const vaults = new Set(["supply", "withdraw", "stake", "unstake"]);

/** "Withdraw 5 USDC", "redeem 5 shares": the object is on the side that has that asset. */
function sorted(step: Step, effect: Effect, world: World): readonly [readonly Portion[], readonly Portion[]] {
  const holds = (flows: readonly Flow[], { asset }: Portion): number =>
    asset === null
      ? 0
      : Math.max(
          0,
          ...flows.map((flow) => known(likeness(flow.asset, asset, world, wrappable.has(effect.act)))),
        );
  const said = [...step.gives, ...step.gets];
  // If no part of the request describes what leaves, the transaction must be compared with that, not skipped.
  const unheld = effect.gets.length === 0 && said.every((portion) => holds(effect.gives, portion) === 0);
  const leaves = (portion: Portion, side: "gives" | "gets"): boolean => {
    const [out, back] = [holds(effect.gives, portion), holds(effect.gets, portion)];
    if (out !== back) return out > back;
    return effect.gives.length > 0 && (side === "gives" || unheld);
  };
  const all = [
    ...step.gives.map((portion) => ({ portion, out: leaves(portion, "gives") })),
    ...step.gets.map((portion) => ({ portion, out: leaves(portion, "gets") })),
  ];
  return [
    all.filter(({ out }) => out).map(({ portion }) => portion),
    all.filter(({ out }) => !out).map(({ portion }) => portion),
  ];
}

const known = (found: Likeness): number => (found === "unknown" ? 0 : found);

function compareSide(side: Side, effect: Effect, world: World): Comparison[] {
  const wrapping = wrappable.has(effect.act);
  const isCounted = side.portions.some(({ quantity }) => quantity?.kind === "exact");
  return side.portions.flatMap((portion) => {
    const found = comparePortion(portion, side, { effect, wrapping, world });
    return isCounted && portion.asset === null ? found.map(withoutShare) : found;
  });
}

/** "Send 1340 USDC so the loan is paid back in full": next to a number, a share without an asset may be one of something else. */
const withoutShare = (found: Comparison): Comparison =>
  found.outcome === "differs" && found.slot === "share"
    ? cannotTell({ ...found, fix: "State only one amount." })
    : found;

function comparePortion(portion: Portion, side: Side, setting: Setting): Comparison[] {
  const { effect, world, wrapping } = setting;
  const base = {
    asked: showQuantity(portion.quantity, portion.asset),
    words: portion.asset?.span ?? portion.quantity?.span ?? null,
  };
  const found =
    portion.asset === null ? sole(side.flows, portion) : flowOf(side.flows, portion.asset, world, wrapping);
  if (found === null) return absent(portion, side, effect, base);
  const place = { chain: world.proposal.chain.id, registry: world.registry };
  const does = showFlow(found.flow.asset, found.flow.amount, place);
  const shown = { ...base, does, where: found.flow.where };
  const compared = compareAsset(found.likeness, side.asset, {
    ...shown,
    asked: showAssetRef(portion.asset),
    does: symbolOf(found.flow.asset, place),
  });
  // The amount of a different asset means nothing: one finding is enough.
  if (compared.outcome !== "same" || portion.quantity === null) return [compared];
  return [compared, ...compareQuantity(portion, found.flow, side.sense, { ...setting, shown })];
}

/** An amount without an asset belongs to the one asset that moves; in wei or gwei, only to the native token. */
const sole = (
  flows: readonly Flow[],
  { quantity }: Portion,
): { readonly flow: Flow; readonly likeness: Likeness } | null => {
  const [only] = flows;
  if (only === undefined || flows.length > 1) return null;
  return { flow: only, likeness: quantity?.kind === "raw" && only.asset.kind !== "native" ? 0 : 0.85 };
};

/** Nothing moves on that side at all. A protocol that gives a claim instead of an asset (a supply) has nothing to show. */
function absent(
  portion: Portion,
  side: Side,
  effect: Effect,
  base: { readonly asked: string; readonly words: Comparison["words"] },
): Comparison[] {
  // A claim pays whatever there is: the transaction need not contain the amount.
  if (side.asset === "asset_out" && effect.act === "claim") return [];
  if (side.asset === "asset_out" && portion.quantity === null && effect.act !== "swap") return [];
  if (side.flows.length > 1 && portion.quantity === null) return [];
  if (side.flows.length > 1)
    return [
      cannotTell({
        ...base,
        slot: "amount",
        does: "several assets move",
        where: effect.where,
        confidence: 1,
        fix: "State which asset the amount is of.",
      }),
    ];
  return [
    differs({
      ...base,
      slot: side.asset,
      does: side.asset === "asset_in" ? "nothing leaves your wallet" : "no minimum is guaranteed",
      where: effect.where,
      confidence: 1,
      fix: `Propose a transaction that moves ${base.asked}.`,
    }),
  ];
}

function compareAsset(likeness: Likeness, slot: Slot, shown: Shown): Comparison {
  if (likeness === "unknown")
    return cannotTell({ ...shown, slot, confidence: 1, fix: `Name ${shown.asked} by its contract address.` });
  if (likeness === 0)
    return differs({ ...shown, slot, confidence: 1, fix: `Use ${shown.asked} instead of ${shown.does}.` });
  return same({ ...shown, slot, confidence: likeness });
}

/**
 * Whether this part of the request can mean this flow. An asset that the transaction does not name does not count if
 * another flow is named.
 */
function maySpeakOf(flow: Flow, { asset }: Portion, effect: Effect, world: World): boolean {
  if (asset === null) return true;
  const found = (one: Flow): Likeness => likeness(one.asset, asset, world, wrappable.has(effect.act));
  if (flow.asset.kind === "unsaid") return !effect.gives.some((one) => isAlike(found(one)));
  return found(flow) !== 0;
}

/** Returns what leaves although the request does not mention it, or mentions it without an amount. */
function unsaidGives(step: Step, effect: Effect, portions: readonly Portion[], world: World): Comparison[] {
  const place = { chain: world.proposal.chain.id, registry: world.registry };
  return effect.gives.flatMap((flow) => {
    if (flow.amount.most === 0n) return [];
    const speaking = portions.find((portion) => maySpeakOf(flow, portion, effect, world));
    const shown = {
      does: `gives ${showFlow(flow.asset, flow.amount, place)}`,
      words: step.verb.span,
      where: flow.where,
      confidence: 1,
    };
    if (speaking === undefined)
      return extraGive(
        { step, effect },
        flow,
        {
          ...shown,
          asked: portions.map((p) => showQuantity(p.quantity, p.asset)).join(" and ") || step.verb.word,
        },
        world,
      );
    // One NFT needs no number; several of the same do.
    if (speaking.quantity !== null || (flow.asset.kind === "nft" && flow.amount.most <= 1n)) return [];
    return boundedByReturn(step, effect, flow, world)
      ? [same({ ...shown, slot: "amount", asked: "no more than its return is worth", confidence: 0.85 })]
      : [
          cannotTell({
            ...shown,
            slot: "amount",
            asked: showAssetRef(speaking.asset),
            fix: "State how much, as a number.",
          }),
        ];
  });
}

/**
 * A trade whose return the request does not name may bring any known token, and no unknown one: a worthless token
 * costs nothing to make.
 */
function unsaidGets(step: Step, effect: Effect, world: World): Comparison[] {
  if (effect.act !== "swap" || step.gets.some(({ asset }) => asset !== null)) return [];
  const { id } = world.proposal.chain;
  const chain = effect.toChain ?? id;
  return effect.gets.flatMap(({ asset, where }) => {
    if (asset.kind !== "token" || world.registry.token(chain, asset.address) !== null) return [];
    const does = symbolOf(asset, { chain, registry: world.registry });
    const shown = { does, asked: "no asset named", words: step.verb.span, where, confidence: 1 };
    return [cannotTell({ ...shown, slot: "asset_out", fix: "Name in the request what should arrive." })];
  });
}

function extraGive(
  { step, effect }: Pick<Pair, "step" | "effect">,
  flow: Flow,
  shown: Omit<Comparison, "slot" | "outcome" | "fix">,
  world: World,
): Comparison[] {
  // "Withdraw 5 USDC" from a vault burns shares that no request mentions: the requested asset arrives, at the owner's
  // account.
  const closes = closing.has(effect.act) && effect.receiver === "self";
  if (step.gives.length === 0 && closes && arrivesAsSaid(step, effect, world)) return [];
  if (step.gives.length === 0 && boundedByReturn(step, effect, flow, world)) return [];
  const slot: Slot = step.gives.length === 0 ? "amount" : "asset_in";
  return [differs({ ...shown, slot, fix: "Remove what was not asked for, or add it to the request." })];
}

const closing = new Set(["unstake", "withdraw", "remove_liquidity", "unwrap"]);

const arrivesAsSaid = (step: Step, effect: Effect, world: World): boolean =>
  step.gets.some(
    ({ asset }) =>
      asset !== null && effect.gets.some((flow) => isAlike(likeness(flow.asset, asset, world, true))),
  );

/**
 * An amount that the request does not state is still bounded if it cannot exceed the worth of what is guaranteed in
 * return.
 */
function boundedByReturn(step: Step, effect: Effect, flow: Flow, world: World): boolean {
  // "Swap 1 ETH for USDC and supply it": the second step may spend what the first guarantees.
  if (world.intent.steps.indexOf(step) > 0 && fromBefore(effect, flow, world)) return true;
  if (step.gets.every((portion) => portion.quantity === null) || effect.gets.length === 0) return false;
  // One for one: "3 ETH out of my WETH" states how much leaves by how much arrives.
  const [only, ...more] = effect.gets;
  if (effect.act === "unwrap" && more.length === 0 && only?.amount.least === flow.amount.most) return true;
  const paid = worth(flow.asset, flow.amount.most, world);
  const got = effect.gets.map((one) => worth(one.asset, one.amount.least, abroad(effect, world)));
  if (paid === null || got.some((value) => value === null)) return false;
  const total = got.reduce<number>((sum, value) => sum + (value ?? 0), 0);
  return paid <= total * (1 + Number(world.policy.maxSlippageBps) / 10_000);
}
