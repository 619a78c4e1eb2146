/** The terms of a canonical request that describes one effect. */
import { choiceKinds, type ChoiceKind } from "../choices.ts";
import { sameAsset, token, type Choice, type Effect, type EffectAct, type Party } from "../effects.ts";
import type { Proposal } from "../proposal.ts";
import type { Registry } from "../registry.ts";
import { patterns, type Slot, type Terms } from "./patterns.ts";
import {
  joinAnd,
  writeAllowance,
  writeAsset,
  writeFlow,
  writeInstant,
  writeUnits,
  writeVenue,
  type Place,
  type Venues,
} from "./phrases.ts";

export type Ground = {
  readonly proposal: Pick<Proposal, "chain" | "actor" | "context">;
  readonly registry: Registry;
  readonly protocols: Venues;
  /** Whether the caller's names of addresses are written next to them. */
  readonly withLabels: boolean;
};

/** The terms, or the reason why one of them cannot be written. */
export function termsOf(effect: Effect, ground: Ground): Terms | string {
  const { registry, proposal } = ground;
  const chain = registry.chain(proposal.chain.id);
  if (chain === null) return "the chain is not in our tables";
  const destination = effect.toChain === null ? chain : registry.chain(effect.toChain);
  if (destination === null) return "the destination chain is not in our tables";
  const gives = writeGives(effect, { chain: chain.id, registry });
  const gets = writeGets(effect, { chain: destination.id, registry });
  if (gives === null || gets === null)
    return "the transaction does not name the asset, or does not limit the amount";
  const fee = writeFee(effect);
  if (fee === unbounded) return "it pays a fee on top of what it moves";
  return given({
    ...partiesOf(effect, ground),
    ...controlOf(effect, ground),
    ...choicesOf(effect),
    ...timesOf(effect),
    fills: fillsOf(effect),
    gives: joinAnd(gives),
    gets: joinAnd(gets),
    fee,
    venue: effect.venue === null ? null : writeVenue(effect.venue, ground.protocols),
    toChain: effect.toChain === null ? null : destination.name,
    // An assumed chain is not part of what the transaction does.
    chain: proposal.chain.assumed ? null : chain.name,
  });
}

/** A payment by signature is filled as a whole; an order on a market says so. */
function fillsOf({ act, terms }: Effect): string | null {
  if (terms.order !== true) return null;
  if (terms.partial === true) return "with partial fills";
  return patterns.get(act)?.includes("{fills}") === true ? "without partial fills" : null;
}

/** A revoked allowance has no end, and an allowance ends instead of having a deadline. */
function timesOf({ act, authority, deadline }: Effect): Found {
  if (authority === null) return { deadline: deadline === null ? null : writeInstant(deadline) };
  return { until: authority.until === null || act === "revoke" ? null : writeInstant(authority.until) };
}

type Found = Readonly<Partial<Record<Slot, string | null>>>;

/** Drops the terms without a value. */
const given = (terms: Found): Terms =>
  Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== null && value !== ""));

/** Null: one of the texts cannot be written. */
const all = (texts: readonly (string | null)[]): readonly string[] | null =>
  texts.every((text) => text !== null) ? texts : null;

function writeGives({ act, gives, authority, target }: Effect, place: Place): readonly string[] | null {
  if (act === "delegate") return all([target === null ? null : writeAsset(token(target), place)]);
  if (act === "revoke") return all([authority?.asset ? writeAsset(authority.asset, place) : null]);
  if (act !== "admin" && authority?.asset)
    return all([writeAllowance(authority.asset, authority.amount, place)]);
  const moved = gives.filter(({ amount }) => amount.most > 0n);
  return all(moved.map((flow) => writeFlow(flow, place, "gives")));
}

/** Acts whose object arrives: without it the sentence has none. */
const inbound: ReadonlySet<EffectAct> = new Set<EffectAct>([
  "swap",
  "withdraw",
  "borrow",
  "claim",
  "mint",
  "buy_nft",
]);

function writeGets({ act, gets }: Effect, place: Place): readonly string[] | null {
  if (act === "claim" && gets.length === 0) return ["rewards"];
  // A share of a vault without a minimum: the request cannot state how much arrives.
  const stated = gets.filter(({ amount }) => inbound.has(act) || amount.least > 0n);
  return all(stated.map((flow) => writeFlow(flow, place, "gets")));
}

/**
 * Writes the fee as a share of what it is taken from, rounded up to a hundredth of a percent. `unbounded`: it is paid on top of
 * the amounts of the sentence, so that no amount of the sentence limits it.
 */
function writeFee({ fees: [fee], gives, gets }: Effect): string | null {
  if (fee === undefined) return null;
  const { share, asset } = fee;
  if ("bps" in share) return percent(share.bps);
  const arrives = gets.find((flow) => sameAsset(flow.asset, asset))?.amount.least ?? 0n;
  const leaves = gives.find((flow) => sameAsset(flow.asset, asset))?.amount.most ?? 0n;
  const whole = arrives + share.most;
  if (arrives === 0n || (leaves > 0n && leaves < whole)) return unbounded;
  return percent((share.most * 10_000n + whole - 1n) / whole);
}

const unbounded = "unbounded";

const percent = (bps: bigint): string => `${writeUnits(bps, 2)}%`;

function partiesOf(effect: Effect, ground: Ground): Found {
  const { act, receiver, authority } = effect;
  const to = receiver === null ? null : writeParty(receiver, ground);
  if (act === "delegate") return { party: to, payer: payerOf(effect) };
  const isOwn = receiver === "self" || receiver === ground.proposal.actor;
  return {
    payer: payerOf(effect),
    to: isOwn && act !== "transfer" ? null : to,
    spender: authority === null || act === "admin" ? null : writeParty(authority.spender, ground),
  };
}

/** The account through which the owner acts, if our tables do not know it, or another account whose allowance is used. */
function payerOf({ act, payer, choices }: Effect): string | null {
  const account = choices.find(({ what, known }) => what === "account" && !known)?.value;
  if (account !== undefined && namesPayer(act)) return account;
  return payer === "self" || payer === "venue" ? null : payer;
}

/** Where the pattern has no place for an account, it is one of the choices. */
const namesPayer = (act: EffectAct): boolean => patterns.get(act)?.includes("{payer}") === true;

const writeParty = (party: Party, { proposal, withLabels }: Ground): string => {
  if (party === "self") return "my wallet";
  if (party === "venue") return "the called contract";
  const known = withLabels ? proposal.context.known : [];
  const label = known.find(({ address }) => address === party)?.label ?? null;
  return label === null || !plainLabel.test(label) ? party : `${label} (${party})`;
};

/** One capitalized word: a label cannot add a number, a symbol or a sentence to the request. */
const plainLabel = /^\p{Lu}\p{Ll}{1,30}$/u;

function controlOf({ act, admin, target, choices }: Effect, ground: Ground): Found {
  if (act !== "admin" || admin === null) return {};
  const valueOf = (kind: ChoiceKind): string | null =>
    choices.find(({ what }) => what === kind)?.value ?? null;
  const role = valueOf("role");
  const needsContract = patterns.get(`admin.${admin.kind}`)?.includes(" {contract}") === true;
  return {
    party: admin.party === null ? null : writeParty(admin.party, ground),
    replaced: admin.replaced === undefined ? null : writeParty(admin.replaced, ground),
    threshold: admin.threshold === undefined ? null : String(admin.threshold),
    role: role === null ? null : `role ${role}`,
    contract: valueOf("contract") ?? (needsContract ? target : null),
  };
}

/** Acts in which the called contract takes or holds the assets. In the others it is the token, or named as a choice. */
const atVenue: ReadonlySet<EffectAct> = new Set<EffectAct>([
  "swap",
  "supply",
  "withdraw",
  "borrow",
  "repay",
  "stake",
  "unstake",
  "claim",
  "add_liquidity",
  "remove_liquidity",
  "bridge",
  "buy_nft",
  "sell_nft",
]);

/** Choices that have a slot of their own. */
const placed: ReadonlySet<ChoiceKind> = new Set<ChoiceKind>([
  "account",
  "contract",
  "role",
  "vote",
  "proposal",
]);

/** Choices that the request must state: those that our tables do not know, and a contract that is not a known venue's. */
function choicesOf({ act, choices, venue, target }: Effect): Found {
  const open = choices.filter(({ known }) => !known);
  const find = (kind: ChoiceKind): Choice | undefined => open.find(({ what }) => what === kind);
  const proposal = find("proposal");
  const isRest = ({ what }: Choice): boolean =>
    !placed.has(what) || (what === "contract" && act !== "admin") || (what === "account" && !namesPayer(act));
  const rest = open.filter(isRest);
  const isUnnamed = venue === null && target !== null && atVenue.has(act) && find("contract") === undefined;
  return {
    vote: find("vote")?.value ?? null,
    proposal: proposal === undefined ? null : writeChoice(proposal),
    choices: joinAnd([...rest.map(writeChoice), ...(isUnnamed ? [`contract ${target}`] : [])]),
  };
}

function writeChoice({ what, value }: Choice): string {
  if (what === "shares") return `${value} shares`;
  return what === "permission" ? `the signed message ${value}` : `${choiceKinds[what].noun} ${value}`;
}
