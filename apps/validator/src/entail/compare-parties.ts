/** Compares who benefits, and whose assets are used. */
import type { Effect } from "../effects.ts";
import type { Comparison } from "../entailment.ts";
import type { PartyRef, Step } from "../intent.ts";
import { addressOf, matchParty } from "./parties.ts";
import { showParty, showPartyRef } from "./show.ts";
import { cannotTell, differs, same, type Pair, type World } from "./world.ts";

export function compareParties(pair: Pair, world: World): Comparison[] {
  return [...compareReceiver(pair, world), ...comparePayer(pair, world)];
}

/**
 * Returns who may benefit according to the request: the parties after "to" and "for", a later "…and send it to X",
 * otherwise the owner.
 */
function allowed(step: Step, effect: Effect, world: World): readonly PartyRef[] {
  const said = [...step.to, ...(step.onBehalfOf === null ? [] : [step.onBehalfOf])].filter(
    (party) => party.kind !== "venue",
  );
  if (said.length > 0 || effect.act === "transfer") return said;
  const next = world.intent.steps[world.intent.steps.indexOf(step) + 1];
  const hands = next?.acts[0] === "transfer" && next.gives.every((portion) => portion.quantity === null);
  const handed = hands
    ? next.to.filter(
        (party) =>
          party.kind !== "venue" && matchParty(effect.receiver ?? "self", party, world).outcome === "same",
      )
    : [];
  return handed;
}

/** An address of the name service is one on Ethereum: on another chain it may belong to no one, or to someone else. */
const whereReceived = ({ toChain }: Effect, world: World): World =>
  toChain === null ? world : { ...world, names: undefined };

function compareReceiver({ step, effect }: Pair, given: World): Comparison[] {
  const { receiver } = effect;
  const world = whereReceived(effect, given);
  if (receiver === null || effect.act === "admin") return [];
  const parties = allowed(step, effect, world);
  const shown = {
    does: `goes to ${showParty(effect.receiver)}`,
    where: effect.places["receiver"] ?? effect.where,
  };
  if (parties.length === 0) return unnamed(step, effect, shown, world);
  const matches = parties.map((party) => ({
    party,
    match: matchParty(receiver, party, world),
  }));
  const best = matches.find(({ match }) => match.outcome === "same") ?? matches[0];
  if (best === undefined) return [];
  const { party, match } = best;
  const found = {
    ...shown,
    asked: showPartyRef(party, world.names),
    words: party.span,
    confidence: match.confidence,
    slot: match.named ? ("name" as const) : ("recipient" as const),
  };
  if (match.outcome === "same")
    return match.named ? [same(found), same({ ...found, slot: "recipient" })] : [same(found)];
  if (match.outcome === "cannot_tell")
    return [cannotTell({ ...found, fix: `Give the address: ${match.why}.` })];
  const other = differs({
    ...found,
    slot: "recipient",
    fix: `Send it to ${showPartyRef(party, world.names)}.`,
  });
  return match.named ? [other, { ...other, slot: "name" }] : [other];
}

/** The request names no party: only the owner may benefit. A plain transfer without a named receiver cannot be checked. */
function unnamed(
  step: Step,
  effect: Effect,
  shown: { readonly does: string; readonly where: Comparison["where"] },
  world: World,
): Comparison[] {
  const found = { ...shown, slot: "recipient" as const, words: step.verb.span };
  if (effect.receiver === "self" && effect.act !== "transfer")
    return [same({ ...found, asked: "your wallet, as no one else is named", confidence: 0.95 })];
  if (effect.act === "transfer" && effect.receiver === "self")
    return [same({ ...found, asked: "no one in particular", confidence: 0.85 })];
  if (effect.act === "transfer")
    return [
      cannotTell({
        ...found,
        asked: "no one in particular",
        confidence: 1,
        fix: "Name the receiver in the request, by address.",
      }),
    ];
  const unknown = world.proposal.actor === null;
  return [
    (unknown ? cannotTell : differs)({
      ...found,
      asked: "your wallet, as no one else is named",
      confidence: 1,
      fix: unknown
        ? "Send your address as metadata.from, so that we can recognise it."
        : "Send it to your wallet, or name the receiver in the request.",
    }),
  ];
}

/** The transaction uses an allowance that another party gave: it takes their assets, so the request must mention them. */
function comparePayer({ step, effect }: Pick<Pair, "step" | "effect">, world: World): Comparison[] {
  if (effect.payer === "self") return compareAccount({ step, effect }, world);
  if (effect.payer === "venue") return [];
  // The signer of a message is its owner. If the request does not name the signer, the message does.
  if (world.proposal.actor === null && effect.where.call.startsWith("proposed_tx.order")) return [];
  const shown = {
    slot: "recipient" as const,
    does: `takes from ${effect.payer}`,
    where: effect.places["payer"] ?? effect.where,
    words: step.from?.span ?? step.verb.span,
  };
  if (step.from !== null && matchParty(effect.payer, step.from, world).outcome === "same")
    return [same({ ...shown, asked: `from ${showPartyRef(step.from)}`, confidence: 1 })];
  return [
    differs({
      ...shown,
      asked: "from your wallet",
      confidence: 1,
      fix: "Take the assets from your wallet, or name the other account in the request.",
    }),
  ];
}

/** "From Safe 0x…": the named account must be the one that acts, or a contract that the transaction calls. */
function compareAccount({ step, effect }: Pick<Pair, "step" | "effect">, world: World): Comparison[] {
  const said = step.from === null ? null : addressOf(step.from, world);
  const { actor } = world.proposal;
  if (said === null || step.from === null || actor === null) return [];
  const { accounts = [], leaves } = world.reading;
  const found = {
    slot: "recipient" as const,
    asked: `from ${showPartyRef(step.from)}`,
    does: `takes from ${accounts[0] ?? actor}`,
    where: effect.where,
    words: step.from.span,
    confidence: 1,
  };
  const acts = said === actor || accounts.includes(said) || said === effect.target;
  return acts || leaves.some(({ to }) => to === said)
    ? [same(found)]
    : [differs({ ...found, fix: `Send it from ${showPartyRef(step.from)}.` })];
}
