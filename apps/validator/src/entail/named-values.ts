/**
 * Whether the request names every value of the transaction. If it does, a difference is probably a misreading of what is done with
 * these values. A value that the request does not name shows a real difference.
 */
import type { Asset, Effect, Flow, Party } from "../effects.ts";
import type { Decimal } from "../intent.ts";
import { isReversed } from "./acts.ts";
import { meant } from "./assets.ts";
import { toUnits } from "./decimals.ts";
import { decimalsOf } from "./show.ts";
import { abroad, type World } from "./world.ts";

export function namesEveryValue(world: World): boolean {
  const { effects } = world.reading;
  const acting = effects.filter(({ act }) => act !== "harmless");
  const named = namesIn(world);
  return (
    acting.length > 0 &&
    acting.length <= world.intent.steps.length &&
    hasEveryAddress(acting, world) &&
    namesChain(acting, world) &&
    acting.every((effect) => isNamed(effect, named, world)) &&
    !acting.some((effect) => world.intent.steps.some((step) => isReversed(step, effect, world)))
  );
}

/** An address in the request, or that of a name in it, that has no part in the transaction shows that something is missing. */
function hasEveryAddress(effects: readonly Effect[], { proposal, names }: World): boolean {
  const parts = effects.flatMap(({ receiver, payer, authority, target, gives, gets, choices }) => [
    receiver,
    payer,
    authority?.spender,
    target,
    ...[...gives, ...gets].map(({ asset }) => ("address" in asset ? asset.address : null)),
    ...choices.map(({ value }) => value),
  ]);
  const involved = new Set<unknown>([proposal.actor, ...parts]);
  const written = proposal.words.match(/0x[0-9a-f]{40}(?![0-9a-f])/giu) ?? [];
  const resolved = [...(names?.values() ?? [])].flatMap(({ address }) => address ?? []);
  return [...written, ...resolved].every((one) => involved.has(one.toLowerCase()));
}

type Names = { readonly words: string; readonly numbers: readonly Decimal[] };

const namesIn = ({ proposal }: World): Names => ({
  words: proposal.words.toLowerCase(),
  numbers: numbersIn(proposal.words),
});

/** "2 500", "0.5", ".5" */
const NUMBERS = /(?:\d+|(?<!\d)[.,]\d+)(?:[.,'’_\u00a0\u202f ]\d+)*\s?(?<scale>[km]\b)?/giu;
const GROUPED = /^\d{1,3}(?:[.,'’_\u00a0\u202f ]\d{3})+$/u;

/** Every number in a text and all that it can mean: 1.500 is 1.5 and 1500, "2 500" also 2 and 500. Addresses have none. */
function numbersIn(text: string): readonly Decimal[] {
  const plain = text.replace(/0x[0-9a-f]+/giu, " ");
  return [...plain.matchAll(NUMBERS)].flatMap((found) => {
    const power = { k: 3, m: 6 }[found.groups?.["scale"]?.toLowerCase() ?? ""] ?? 0;
    const run = found[0].replace(/\s?[km]$/i, "").trim();
    return [run, ...run.split(/[ \u00a0\u202f]/)].flatMap((written) => meanings(written, power));
  });
}

function meanings(written: string, power: number): readonly Decimal[] {
  const digits = BigInt(`0${written.replace(/\D/g, "")}`);
  const fraction = /[.,](\d+)$/.exec(written)?.[1]?.length ?? 0;
  const asFraction = { digits, scale: fraction - power };
  return fraction === 0 || GROUPED.test(written) ? [{ digits, scale: -power }, asFraction] : [asFraction];
}

/** If the request names chains, it must name every chain on which something happens. */
function namesChain(effects: readonly Effect[], { intent, proposal, registry }: World): boolean {
  const said = intent.tokens
    .filter(({ kind }) => kind === "chain")
    .map(({ text }) => registry.chainNamed(text.toLowerCase())?.id);
  if (said.length === 0) return true;
  const used = [proposal.chain.id, ...effects.flatMap(({ toChain }) => toChain ?? [])];
  return used.every((id) => said.includes(id));
}

const isNamed = (effect: Effect, named: Names, world: World): boolean =>
  effect.fees.length === 0 &&
  effect.admin === null &&
  effect.act !== "opaque" &&
  effect.gives.every((flow) => namesGiven(flow, named, world)) &&
  effect.gets.every((flow) => namesFlow(flow, flow.amount.least, named, abroad(effect, world))) &&
  (effect.receiver === null || namesReceiver(effect.receiver, effect, named, world)) &&
  namesAuthority(effect, named, world) &&
  namesVenue(effect, world);

/** A part of the amount that may stay behind (one wei of an ether) must be named as well. */
const namesGiven = (flow: Flow, named: Names, world: World): boolean =>
  [flow.amount.most, flow.amount.least].every(
    (units) => units === 0n || namesFlow(flow, units, named, world),
  );

function namesFlow({ asset, amount }: Flow, units: bigint, named: Names, world: World): boolean {
  if (amount.everything === true || !namesAsset(asset, named, world)) return false;
  if (asset.kind === "nft")
    return named.numbers.some(({ digits, scale }) => scale === 0 && digits === asset.id);
  const decimals = decimalsOf(asset, { chain: world.proposal.chain.id, registry: world.registry });
  return decimals !== null && named.numbers.some((n) => toUnits(n, decimals) === units);
}

/** By a symbol, or by its address. The native token and its wrapped form share their names. */
function namesAsset(asset: Asset, { words }: Names, world: World): boolean {
  if (asset.kind === "unsaid") return false;
  if (asset.kind === "nft") return true;
  if (asset.kind === "token" && words.includes(asset.address)) return true;
  return [...words.matchAll(/[\p{L}\p{N}.]{2,}/gu)].some(([word]) =>
    meant(word.replace(/\.$/, ""), world).some((one) =>
      one.kind === "native"
        ? asset.kind === "native"
        : asset.kind === "token" && one.kind === "token" && one.address === asset.address,
    ),
  );
}

/** The proceeds of a swap or a withdrawal go to the owner unless the request says otherwise; a payment does not. */
const namesReceiver = (receiver: Party, { act }: Effect, named: Names, world: World): boolean =>
  act === "transfer"
    ? receiver !== "self" && receiver !== world.proposal.actor && namesParty(receiver, named, world)
    : namesParty(receiver, named, world);

function namesParty(party: Party, { words }: Names, { proposal, names }: World): boolean {
  if (party === "self" || party === "venue" || party === proposal.actor) return true;
  const labels = [
    ...proposal.context.known.flatMap(({ address, label }) =>
      address === party && label !== null ? [label] : [],
    ),
    ...[...proposal.context.names].flatMap(([name, address]) => (address === party ? [name] : [])),
    ...[...(names ?? [])].flatMap(([name, { address }]) => (address === party ? [name] : [])),
  ];
  return words.includes(party) || labels.some((label) => words.includes(label.toLowerCase()));
}

function namesAuthority({ authority }: Effect, named: Names, world: World): boolean {
  if (authority === null) return true;
  const { asset, amount, spender } = authority;
  if (asset === null || spender === "self" || spender === "venue") return false;
  const isKnown =
    namesParty(spender, named, world) ||
    venuesSaid(world).some((said) =>
      world.protocols
        .at(world.proposal.chain.id, spender)
        .some(({ protocol }) => world.protocols.satisfies(said, protocol)),
    );
  // An allowance that ends has no amount to name.
  const namesAmount =
    amount.most === 0n
      ? namesAsset(asset, named, world)
      : namesFlow({ asset, amount, where: authority.where }, amount.most, named, world);
  return isKnown && namesAmount;
}

const venuesSaid = ({ intent }: World): readonly string[] =>
  intent.tokens.filter(({ kind }) => kind === "venue").map(({ text }) => text.toLowerCase());

/** If the request names venues, one of them must be the transaction's. */
function namesVenue({ venue }: Effect, world: World): boolean {
  const said = venuesSaid(world);
  return said.length === 0 || venue === null || said.some((one) => world.protocols.satisfies(one, venue));
}
