/** Compares allowances, operators and permits: who may spend, how much and for how long. */
import { token, type Authority, type Flow } from "../effects.ts";
import type { Comparison } from "../entailment.ts";
import type { Intent, PartyRef, Portion, Quantity, Step } from "../intent.ts";
import { judgeAmount } from "./amounts.ts";
import { isAlike, likeness } from "./assets.ts";
import { toUnits } from "./decimals.ts";
import { usesUp } from "./needs.ts";
import { matchParty } from "./parties.ts";
import { showAssetRef, showFlow, showParty, showPartyRef, showQuantity, symbolOf } from "./show.ts";
import { cannotTell, differs, same, type Pair, type World } from "./world.ts";

/** Allowances at or above this are "unlimited" for any token: no supply reaches it. */
export const unlimitedFrom = 2n ** 96n - 1n;

export function compareAuthority({ step, effect }: Pair, world: World): Comparison[] {
  const { authority } = effect;
  if (authority === null || effect.act === "admin") return [];
  return [...compareSpender(step, authority, world), ...compareScope(step, authority, world)];
}

const shunnedBy = ({ party, venue, span }: Intent["negations"][number]): readonly PartyRef[] =>
  party !== undefined ? [party] : venue === undefined ? [] : [{ kind: "venue", venue, span }];

/** "I no longer trust X, revoke its allowance": the party that the request refuses is the party of the revocation. */
function spendersSaid(step: Step, { negations }: Intent): readonly PartyRef[] {
  const parties = [...(step.spender === null ? [] : [step.spender]), ...step.to];
  const shunned = step.acts[0] === "revoke" ? negations.flatMap(shunnedBy) : [];
  if (parties.length + shunned.length > 0) return [...parties, ...shunned];
  return step.venues
    .filter(({ mode }) => mode === "on")
    .map(({ venue, span }) => ({ kind: "venue", venue, span }));
}

function compareSpender(step: Step, authority: Authority, world: World): Comparison[] {
  const shown = {
    slot: "spender" as const,
    does: `lets ${showParty(authority.spender)} spend`,
    where: authority.where,
  };
  const said = spendersSaid(step, world.intent);
  const matches = said.map((party) => ({ party, match: matchParty(authority.spender, party, world) }));
  const best = matches.find(({ match }) => match.outcome === "same") ?? matches[0];
  if (best === undefined) {
    const found = {
      ...shown,
      asked: "no spender named",
      words: step.verb.span,
      confidence: 1,
      fix: "Name the spender in the request.",
    };
    if (step.acts.includes("revoke") && authority.amount.most === 0n) return [];
    // "Approve sDAI for 3,000 DAI", "approve and deposit 1,000 DAI": the vault, or the contract that the next step
    // goes through.
    if (namesSpender(step, authority, world) || usesUp(authority, world))
      return [same({ ...found, asked: "the contract that the request goes through", confidence: 0.9 })];
    return [cannotTell(found)];
  }
  const { party, match } = best;
  const found = {
    ...shown,
    asked: showPartyRef(party, world.names),
    words: party.span,
    confidence: match.confidence,
  };
  if (match.outcome === "same") return [same(found)];
  if (match.outcome === "cannot_tell")
    return [cannotTell({ ...found, fix: `Give the address: ${match.why}.` })];
  return [differs({ ...found, fix: `Make ${showPartyRef(party, world.names)} the spender.` })];
}

const isSpender = ({ asset, quantity }: Portion, { spender }: Authority, world: World): boolean =>
  asset?.kind === "symbol" &&
  quantity === null &&
  spender.startsWith("0x") &&
  isAlike(likeness(token(spender as `0x${string}`), asset, world, false));

/** A request names a vault by its share, which is the contract that takes the deposit. */
const namesSpender = (step: Step, authority: Authority, world: World): boolean =>
  step.gives.some((portion) => isSpender(portion, authority, world));

/** The portion about what may be spent, if the request has one. */
const spoken = (step: Step, authority: Authority, world: World): Portion | undefined => {
  const gives = step.gives.filter((one) => !isSpender(one, authority, world));
  const { asset } = authority;
  const speaks = ({ asset: said }: Portion): boolean =>
    said === null || (asset !== null && likeness(asset, said, world, false) !== 0);
  return gives.find(speaks) ?? gives[0];
};

function compareScope(step: Step, authority: Authority, world: World): Comparison[] {
  const { asset, amount } = authority;
  if (asset === null) return [];
  const place = { chain: world.proposal.chain.id, registry: world.registry };
  const flow: Flow = { asset, amount, where: authority.where };
  const portion = spoken(step, authority, world);
  const quantity = portion?.quantity ?? null;
  const used = quantity === null && usesUp(authority, world);
  const shown = {
    does: `may take ${showFlow(asset, amount, place)}`,
    words: quantity?.span ?? step.verb.span,
    where: authority.where,
  };
  return [
    ...(used && portion === undefined ? [] : assetOf(portion, flow, world)),
    ...amountOf(
      used ? "used" : portion,
      flow,
      { ...shown, asked: showQuantity(quantity, portion?.asset ?? null) },
      world,
    ),
    ...expiryOf(step, authority, world),
  ];
}

function assetOf(portion: Portion | undefined, flow: Flow, world: World): Comparison[] {
  const does = symbolOf(flow.asset, { chain: world.proposal.chain.id, registry: world.registry });
  const found = {
    slot: "asset_in" as const,
    does,
    where: flow.where,
    confidence: 1,
    asked: showAssetRef(portion?.asset ?? null),
    words: portion?.asset?.span ?? null,
  };
  if (portion?.asset == null)
    return [cannotTell({ ...found, fix: "Name the token that may be spent in the request." })];
  const alike = likeness(flow.asset, portion.asset, world, false);
  if (alike === "unknown")
    return [cannotTell({ ...found, fix: `Name ${found.asked} by its contract address.` })];
  return alike === 0
    ? [differs({ ...found, fix: `Approve ${found.asked} instead of ${does}.` })]
    : [same({ ...found, confidence: alike })];
}

type Shown = {
  readonly asked: string;
  readonly does: string;
  readonly words: Comparison["words"];
  readonly where: Comparison["where"];
};

/** `used`: the request states no amount, and its other steps use all of it. */
function amountOf(
  portion: Portion | "used" | undefined,
  flow: Flow,
  shown: Shown,
  world: World,
): Comparison[] {
  const found = { ...shown, slot: "scope" as const, confidence: 1 };
  if (portion === "used") return [same({ ...found, confidence: 0.9 })];
  if (flow.asset.kind === "nft") return [collectionOf(portion, flow.asset.id, found)];
  const quantity = portion?.quantity ?? null;
  // "Withdraw the whole permission" says all and leaves nothing.
  if (quantity === null || (quantity.kind === "all" && flow.amount.most === 0n))
    return unsaidScope(flow, found);
  const judged = judgeAmount(quantity, flow, "out", world);
  if (judged.outcome === "same") return [same({ ...found, confidence: judged.confidence })];
  if (judged.outcome === "differs")
    return [differs({ ...found, fix: `Approve ${shown.asked} and no more.` })];
  return [cannotTell({ ...found, fix: `State the allowance as a number: ${judged.why}.` })];
}

/** "BAYC token 8090": a number next to an NFT is its id, or a count. */
const isOtherNumber = (portion: Portion | undefined, id: bigint | null): boolean => {
  const number = portion?.quantity?.kind === "exact" ? toUnits(portion.quantity.n, 0) : null;
  return number !== null && number !== 1n && number !== id;
};

/** "Half of my Miladys", "20 dollars of them": an operator is allowed for one piece or for all of them. */
const PARTS = new Set<Quantity["kind"]>(["share", "fiat", "range", "vague"]);

/** The request names one token and the transaction approves the whole collection: the operator could take them all. */
function collectionOf(
  portion: Portion | undefined,
  id: bigint | null,
  found: Shown & { readonly slot: "scope"; readonly confidence: number },
): Comparison {
  const one = portion?.asset?.kind === "nft" && portion.asset.ids.length > 0;
  if (portion?.quantity && PARTS.has(portion.quantity.kind))
    return cannotTell({ ...found, fix: "Name one piece, or the whole collection." });
  if (isOtherNumber(portion, id)) return differs({ ...found, fix: `Approve ${found.asked}.` });
  if (id !== null || !one) return same({ ...found, confidence: id === null ? 0.85 : 1 });
  return differs({
    ...found,
    does: "can take every token in the collection",
    fix: "Approve the one token instead of the whole collection.",
  });
}

/** The request states no amount, and we do not guess how much may be spent. A revocation needs no amount. */
function unsaidScope(
  flow: Flow,
  found: Shown & { readonly slot: "scope"; readonly confidence: number },
): Comparison[] {
  if (flow.amount.most === 0n) return [same({ ...found, confidence: 0.95 })];
  return [
    cannotTell({
      ...found,
      fix: "State how much may be spent, as a number, or “unlimited” if you mean that.",
    }),
  ];
}

/** "For an hour": the allowance must not outlive it. */
function expiryOf(step: Step, authority: Authority, world: World): Comparison[] {
  if (step.deadline === null) return [];
  const limit =
    step.deadline.kind === "within" ? world.proposal.now + step.deadline.seconds : step.deadline.unix;
  const ends = authority.until;
  const found = {
    slot: "scope" as const,
    asked: "an allowance that ends",
    words: step.deadline.span,
    where: authority.where,
    confidence: 1,
  };
  if (ends !== null && ends <= limit + 60n) return [same({ ...found, does: "it ends in time" })];
  return [
    differs({
      ...found,
      does: ends === null ? "it never ends" : "it ends later",
      fix: "Set an expiry within the requested time.",
    }),
  ];
}
