/**
 * Finds steps that repeat another step, or state its purpose: "Get me WETH: wrap 0.1 ETH", "Next on my list: …", "We
 * need to pay a supplier. Send 0x… 600 USDT". Leaving such a step unanswered is safe: it licenses nothing, and every
 * hard word in it is true of the transaction. A step with anything else (another amount, party, asset) must be
 * answered.
 */
import { token, type Effect, type Flow } from "../effects.ts";
import type { PartyRef, Portion, Step } from "../intent.ts";
import { licensesAct } from "./acts.ts";
import { judgeAmount } from "./amounts.ts";
import { isAlike, likeness } from "./assets.ts";
import { matchParty } from "./parties.ts";
import type { World } from "./world.ts";

export function restates(step: Step, effects: readonly Effect[], world: World): boolean {
  if (effects.length === 0 || step.acts.includes("admin") || step.conditions.length > 0) return false;
  const parties = [
    ...step.to,
    ...[step.onBehalfOf, step.spender, step.from].filter((party) => party !== null),
  ];
  return (
    effects.some((effect) => licensesAct(step, effect, world) > 0) &&
    parties.every((party) => isParty(party, step, effects, world)) &&
    [...step.gives, ...step.gets].every((portion) => isMoved(portion, effects, world)) &&
    step.venues.every(({ venue, mode }) => (mode === "on") === isVenue(venue, effects, world)) &&
    isHere(step, effects, world)
  );
}

const isVenue = (venue: string, effects: readonly Effect[], world: World): boolean =>
  effects.some((effect) => effect.venue !== null && world.protocols.satisfies(venue, effect.venue));

const isHere = ({ chain, toChain }: Step, effects: readonly Effect[], world: World): boolean => {
  const chains = [world.proposal.chain.id, ...effects.map((effect) => effect.toChain)];
  return [chain, toChain].every((said) => said === null || chains.includes(said.value));
};

/** A party that cannot be resolved ("a supplier") has no meaning if this step gives it nothing. */
function isParty(party: PartyRef, step: Step, effects: readonly Effect[], world: World): boolean {
  if (party.kind === "venue") return isVenue(party.venue, effects, world);
  const matches = effects
    .flatMap((effect) => [effect.receiver, effect.authority?.spender ?? null])
    .flatMap((one) => (one === null ? [] : [matchParty(one, party, world).outcome]));
  if (matches.includes("same")) return true;
  const empty = [...step.gives, ...step.gets].every(({ quantity }) => quantity === null);
  return party.kind === "contact" && empty && matches.every((outcome) => outcome === "cannot_tell");
}

function isMoved({ asset, quantity }: Portion, effects: readonly Effect[], world: World): boolean {
  const flows = effects.flatMap(flowsOf);
  const alike =
    asset === null ? flows : flows.filter((flow) => isAlike(likeness(flow.asset, asset, world, true)));
  if (alike.length === 0) return false;
  if (quantity === null || quantity.kind === "vague") return true;
  const senses = quantity.kind === "least" ? (["out", "floor"] as const) : (["out", "in"] as const);
  return alike.some((flow) =>
    senses.some((sense) => judgeAmount(quantity, flow, sense, world).outcome === "same"),
  );
}

/** Returns the assets that an effect moves or lets others take, and the token that it is called on. */
function flowsOf({ gives, gets, authority, target, where }: Effect): readonly Flow[] {
  const granted = authority?.asset ? [{ asset: authority.asset, amount: authority.amount, where }] : [];
  const called = target === null ? [] : [{ asset: token(target), amount: { least: 0n, most: 0n }, where }];
  return [...gives, ...gets, ...granted, ...called];
}
