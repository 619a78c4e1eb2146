/**
 * Finds effects that a licensed effect implies: the approval it needs, the wrap before it, and effects that only
 * remove authority.
 */
import { sameAsset, type Asset, type Effect, type Party } from "../effects.ts";
import type { Comparison } from "../entailment.ts";
import { namesCollateral } from "../intent/debts.ts";
import { unlimitedFrom } from "./compare-authority.ts";
import { needOf, serves } from "./needs.ts";
import { showFlow, showParty, symbolOf } from "./show.ts";
import { differs, same, type World } from "./world.ts";

export type Implied = { readonly rule: string; readonly comparisons: readonly Comparison[] };

/**
 * Returns the rule that licenses an effect that no step asks for, or null. `licensed`: the effects that the request
 * licenses.
 */
export function implied(
  effect: Effect,
  licensed: readonly Effect[],
  world: World,
  granted: readonly Effect[] = [],
): Implied | null {
  if (isSwitch(effect)) return switchedFor(effect, licensed, world);
  const quiet = losesNothing.find(({ holds }) => holds(effect));
  if (quiet !== undefined) return { rule: quiet.rule, comparisons: [] };
  if (effect.act === "approve") return precursor(effect, { licensed, granted }, world);
  if (effect.act !== "wrap" && effect.act !== "unwrap") return null;
  if (!servesAsCoin(effect, licensed, world)) return null;
  return { rule: "wraps the native token for a requested step", comparisons: [] };
}

const isEmpty = ({ act, receiver, gives }: Effect): boolean =>
  act === "transfer" && receiver === "self" && gives.every(({ amount }) => amount.most === 0n);

const bringsOnly = (effect: Effect): boolean =>
  effect.gives.length === 0 &&
  effect.authority === null &&
  effect.admin === null &&
  effect.receiver === "self" &&
  effect.fees.length === 0 &&
  (effect.act === "claim" || effect.act === "forward");

/** Functions that pledge what is held: nothing leaves, but what is held may be taken for a debt later. */
const switches = /^(?:setUserUseReserveAsCollateral|enterMarkets)\b/;

const isSwitch = ({ act, function: name }: Effect): boolean => act === "harmless" && switches.test(name);

const pledges = new Set(["supply", "borrow"]);

/** Only a request about lending, borrowing or collateral at that venue implies it. */
function switchedFor(effect: Effect, licensed: readonly Effect[], world: World): Implied | null {
  const lends = licensed.some(({ act, venue }) => pledges.has(act) && venue === effect.venue);
  const venues = world.intent.steps.flatMap((step) => step.venues.filter(({ mode }) => mode === "on"));
  const here = venues.some(
    ({ venue }) => effect.venue !== null && world.protocols.satisfies(venue, effect.venue),
  );
  return effect.venue !== null && (lends || (here && namesCollateral(world.proposal.words)))
    ? { rule: "pledges the collateral of a requested step", comparisons: [] }
    : null;
}

/** Effects that need no request, because they cost nothing. */
const losesNothing: readonly { readonly rule: string; readonly holds: (effect: Effect) => boolean }[] = [
  { rule: "moves no funds and grants no access", holds: ({ act }) => act === "harmless" },
  { rule: "only removes access", holds: ({ act }) => act === "revoke" },
  { rule: "only removes access", holds: ({ admin }) => admin?.kind === "revoke_delegation" },
  { rule: "an empty call to your wallet", holds: isEmpty },
  { rule: "only brings assets to your wallet", holds: bringsOnly },
];

function servesAsCoin(effect: Effect, licensed: readonly Effect[], world: World): boolean {
  if (effect.receiver !== "self" || effect.knowledge === "selector" || effect.knowledge === "none")
    return false;
  const wrapped = world.registry.chain(world.proposal.chain.id)?.wrapped;
  const uses = (flows: Effect["gives"]): bigint =>
    flows
      .filter(({ asset }) => asset.kind === "token" && asset.address === wrapped)
      .reduce((sum, { amount }) => sum + amount.most, 0n);
  const needed = licensed.reduce(
    (sum, other) => sum + (effect.act === "wrap" ? uses(other.gives) : uses(other.gets)),
    0n,
  );
  const moved = effect.gives.reduce((sum, { amount }) => sum + amount.most, 0n);
  return needed > 0n && (effect.act === "unwrap" || moved <= needed);
}

type Around = { readonly licensed: readonly Effect[]; readonly granted: readonly Effect[] };

/** Returns what allowances of the same asset to the same spender already grant. */
const already = (spender: Party, asset: Asset, granted: readonly Effect[]): bigint =>
  granted.reduce(
    (sum, { authority }) =>
      authority?.asset && authority.spender === spender && sameAsset(authority.asset, asset)
        ? sum + authority.amount.most
        : sum,
    0n,
  );

function precursor(effect: Effect, { licensed, granted }: Around, world: World): Implied | null {
  const { authority } = effect;
  if (!authority?.asset || authority.spender === "self" || authority.spender === "venue") return null;
  const { asset, spender, amount } = authority;
  const users = licensed.filter((other) => serves(spender, other, world) && needOf(other, asset, world) > 0n);
  if (users.length === 0) return null;
  const given = already(spender, asset, granted);
  const whole = users.reduce((sum, other) => sum + needOf(other, asset, world), 0n);
  const need = whole > given ? whole - given : 0n;
  const place = { chain: world.proposal.chain.id, registry: world.registry };
  const shown = {
    slot: "scope" as const,
    asked: `what the step needs: ${showFlow(asset, { least: need, most: need }, place)}`,
    does: `${showParty(spender)} may take ${showFlow(asset, amount, place)}`,
    words: null,
    where: authority.where,
    confidence: 0.95,
  };
  const unlimitedSaid = world.intent.steps.some((step) =>
    step.gives.some(({ quantity }) => quantity?.kind === "unlimited"),
  );
  const fits = amount.most <= need || (unlimitedSaid && amount.most >= unlimitedFrom);
  return {
    rule: "the allowance that a step needs",
    comparisons: [
      fits
        ? same(shown)
        : differs({ ...shown, fix: `Approve ${symbolOf(asset, place)} for no more than the step needs.` }),
    ],
  };
}

/** An approval that no step needs: report the spender, if the request implies another. */
export function strayApproval(effect: Effect, world: World): readonly Comparison[] {
  const { authority } = effect;
  if (effect.act !== "approve" || authority === null) return [];
  const place = { chain: world.proposal.chain.id, registry: world.registry };
  const what = authority.asset === null ? "the account" : showFlow(authority.asset, authority.amount, place);
  return [
    differs({
      slot: "spender",
      asked: "no allowance",
      does: `lets ${showParty(authority.spender)} take ${what}`,
      words: null,
      where: authority.where,
      confidence: 1,
      fix: "Remove the approval, or ask for it in the request.",
    }),
  ];
}
