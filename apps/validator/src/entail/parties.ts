/** Compares a party in the transaction with the party that the request names. */
import type { Party } from "../effects.ts";
import type { PartyRef } from "../intent.ts";
import type { Address } from "../proposal.ts";
import type { ProvenNames } from "../simulation.ts";
import type { World } from "./world.ts";

/** `named`: the request gives a name, so the result depends on the address that the caller or a proven state resolved it to. */
export type Match = {
  readonly outcome: "same" | "differs" | "cannot_tell";
  readonly confidence: number;
  readonly named: boolean;
  readonly why: string;
};

const found = (ok: boolean, confidence = 1, named = false): Match => ({
  outcome: ok ? "same" : "differs",
  confidence,
  named,
  why: "",
});

const bare = (label: string): string =>
  label
    .toLowerCase()
    .replace(/^(my|the|our)\s+/, "")
    .replace(/[^\p{L}\p{N}.]/gu, "");

/** Returns the addresses that the caller sent for a label, and the one that a proven state resolves it to. */
function labelled(label: string, world: World): readonly Address[] {
  const wanted = bare(label);
  if (wanted === "") return [];
  const { known, names } = world.proposal.context;
  const resolved = [...names].filter(([name]) => bare(name) === wanted).map(([, address]) => address);
  const proven = provenOf(label, world)?.address ?? null;
  return [
    ...new Set([
      ...(proven === null ? [] : [proven]),
      ...resolved,
      ...known.filter((one) => one.label !== null && bare(one.label) === wanted).map((one) => one.address),
    ]),
  ];
}

type Proven = ReturnType<ProvenNames["get"]>;

/** Returns how a proven state resolves a name; undefined if it does not look at it. Its names are in lower case. */
const provenOf = (name: string, { names }: Pick<World, "names">): Proven => names?.get(name.toLowerCase());

/** Returns the one address that the request gives for a party, or null. */
export function addressOf(party: PartyRef, world: World): Address | null {
  if (party.kind === "address") return party.address;
  if (party.kind !== "contact" && party.kind !== "name") return null;
  const [only, ...more] = labelled(party.kind === "name" ? party.name : party.label, world);
  return more.length === 0 ? (only ?? null) : null;
}

/** Whether the caller sent an address for a contact. */
export const isLabelled = (party: PartyRef, world: World): boolean =>
  party.kind === "contact" && labelled(party.label, world).length > 0;

const isSelf = (party: Party, world: World): boolean =>
  party === "self" || (world.proposal.actor !== null && party === world.proposal.actor);

/** The owner's own address: the named account, or the one Safe or smart account that everything goes through. */
const isOwn = (address: Address, { proposal, reading }: World): boolean => {
  const [account, ...more] = reading.accounts ?? [];
  return address === proposal.actor || (more.length === 0 && address === account);
};

export function matchParty(party: Party, said: PartyRef, world: World): Match {
  switch (said.kind) {
    case "self":
      return found(isSelf(party, world));
    case "address":
      if (isOther(said, world)) return found(false);
      return found(party === said.address || (isSelf(party, world) && isOwn(said.address, world)));
    case "venue":
      return matchVenue(party, said.venue, world);
    case "name":
    case "contact":
      return matchLabel(party, said, world);
  }
}

/** "Bob (0x…)" if the caller knows Bob by another address: one of the two is wrong. */
const isOther = ({ called, address }: PartyRef & { kind: "address" }, world: World): boolean => {
  const known = called === undefined ? [] : labelled(called, world);
  return known.length > 0 && !known.includes(address);
};

function matchLabel(party: Party, said: PartyRef & { kind: "name" | "contact" }, world: World): Match {
  const label = said.kind === "name" ? said.name : said.label;
  if (said.kind === "name" && !said.normalised)
    return {
      outcome: "differs",
      confidence: 1,
      named: true,
      why: `${label} is not in the normalised form of the name service`,
    };
  const proven = said.kind === "name" ? provenOf(label, world) : undefined;
  const candidates = labelled(label, world);
  const why = whyUnresolved(label, candidates, proven);
  if (why !== null) return { outcome: "cannot_tell", confidence: 1, named: true, why };
  const [only] = candidates;
  const own = only !== undefined && isSelf(party, world) && isOwn(only, world);
  return found(party === only || own, proven === undefined ? 0.95 : 1, true);
}

/** Returns why a label has no single address; null if it has. */
function whyUnresolved(label: string, candidates: readonly Address[], proven: Proven): string | null {
  // The chain decides, whatever the caller sends.
  if (proven?.address === null) return `${label} ${proven.why}`;
  if (candidates.length === 0) return `no address was sent for ${label} (metadata.known_addresses)`;
  return candidates.length > 1 ? `${label} means ${String(candidates.length)} addresses` : null;
}

function matchVenue(party: Party, venue: string, world: World): Match {
  if (party === "self" || party === "venue") return found(false);
  const { chain } = world.proposal;
  const owners = world.protocols.at(chain.id, party);
  if (owners.some((owner) => world.protocols.satisfies(venue, owner.protocol))) return found(true);
  // These venues take tokens through Permit2: approving it for them is what the owner asked for.
  const permit2 = owners.some((owner) => owner.protocol === "permit2");
  return found(permit2 && throughPermit2.some((family) => world.protocols.satisfies(venue, family)), 0.85);
}

/** Venues that take tokens through Permit2 instead of directly. */
export const throughPermit2 = ["universal_router", "uniswapx", "zerox"];
