/** Reads which balances change. Every change of the account must be measured, and one that the request does not ask for ends it. */
import { exactly, type Asset, type Effect } from "../../effects.ts";
import type { Portion, Step } from "../../intent.ts";
import type { Address } from "../../proposal.ts";
import { measuredChange, type Simulation } from "../../simulation.ts";
import { isAlike, likeness } from "../assets.ts";
import { showAssetRef, showFlow, symbolOf } from "../show.ts";
import type { World } from "../world.ts";

export type Executed = { readonly contract: Address; readonly simulation: Simulation };

export type Change = Simulation["changes"][number];

export type Moved = {
  readonly out: Change | null;
  readonly into: Change | null;
  readonly receiver: Effect["receiver"];
};

/** Returns what leaves the account and what arrives where it should, or why that is not what was requested, as a sentence. */
export function readChanges(step: Step, world: World, { contract, simulation }: Executed): Moved | string {
  const { actor } = world.proposal;
  if (actor === null) return "The account is not known.";
  const own = simulation.changes.filter(({ holder }) => holder === actor);
  const unclear = own.map((change) => whyUnclear(change, world)).find((why) => why !== null);
  if (unclear !== undefined) return unclear;
  const receiver = receiverOf(step, actor);
  if (receiver === null) return "The request does not name one recipient by its address.";
  const isPayment = step.acts[0] === "transfer";
  const out = find(own, step.gives[0], (amount) => amount < 0n, world);
  const arrived = simulation.changes.filter(({ holder, isMeasured }) => holder === receiver && isMeasured);
  const into = find(arrived, step.gets[0], (amount) => amount > 0n, world);
  const extra = own.find((change) => change !== out && change !== into);
  if (extra !== undefined) return `It also changes the account's balance: ${show(extra, world)}.`;
  const lacking = whyLacking(step, { out, into });
  if (lacking !== null) return lacking;
  if (isPayment) return whyUnpaid(out, contract, { world, simulation }) ?? pay(out, step, contract);
  return { out, into, receiver: receiver === actor ? "self" : receiver };
}

const pay = (out: Change | null, { to }: Step, contract: Address): Moved | string =>
  to.length === 1 && to.every((party) => party.kind === "address" && party.address === contract)
    ? { out, into: null, receiver: contract }
    : "The recipient of the payment is not the contract that is called.";

function whyUnclear({ asset, amount, isMeasured }: Change, world: World): string | null {
  const name = symbolOf(asset, placeOf(world));
  if (asset.kind !== "native" && asset.kind !== "token") return `It moves ${name}.`;
  return isMeasured && amount !== 0n ? null : `The balance of ${name} does not confirm its events.`;
}

/** Returns who must get what arrives: the named recipient, otherwise the account. Null if that is not one address. */
function receiverOf({ acts, to, onBehalfOf }: Step, actor: Address): Address | null {
  const named = acts[0] === "transfer" || onBehalfOf === null ? to : [...to, onBehalfOf];
  const [one, ...more] = named;
  if (one === undefined) return actor;
  if (more.length > 0) return null;
  return one.kind === "self" ? actor : one.kind === "address" ? one.address : null;
}

/** The native token is not its wrapped form here: what was named must be what moves. */
const find = (
  changes: readonly Change[],
  portion: Portion | undefined,
  isWanted: (amount: bigint) => boolean,
  world: World,
): Change | null => {
  const said = portion?.asset ?? null;
  if (said === null) return null;
  const is = (asset: Asset): boolean => isAlike(likeness(asset, said, world, false));
  return changes.find(({ asset, amount }) => isWanted(amount) && is(asset)) ?? null;
};

function whyLacking({ gives, gets }: Step, { out, into }: Pick<Moved, "out" | "into">): string | null {
  const name = ([portion]: readonly Portion[]): string => showAssetRef(portion?.asset ?? null);
  if (gives.length > 0 && out === null) return `No ${name(gives)} leaves the account.`;
  return gets.length > 0 && into === null ? `No ${name(gets)} arrives where it should.` : null;
}

/** A payment that the contract does not keep went to someone else. */
function whyUnpaid(
  out: Change | null,
  contract: Address,
  { world, simulation }: { readonly world: World; readonly simulation: Simulation },
): string | null {
  if (out === null) return "Nothing leaves the account.";
  const arrived = measuredChange(simulation, contract, out.asset);
  if (arrived === -out.amount) return null;
  const shown = arrived === null ? "an unknown amount" : show({ ...out, amount: arrived }, world);
  return `The contract does not keep what leaves the account: its balance changes by ${shown}.`;
}

const placeOf = ({ proposal, registry }: World) => ({ chain: proposal.chain.id, registry });

const show = ({ asset, amount }: Change, world: World): string =>
  `${amount < 0n ? "-" : "+"}${showFlow(asset, exactly(amount < 0n ? -amount : amount), placeOf(world))}`;
