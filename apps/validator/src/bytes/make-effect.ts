/** Turns the draft of a protocol file into an effect: parties relative to the owner, fields by their bytes. */
import type { Authority, Choice, Effect, Flow, Knowledge, Party, Where } from "../effects.ts";
import type { Address } from "../proposal.ts";
import type { Draft, DraftChoice, DraftFlow } from "../protocol.ts";
import type { Node } from "./abi-reader.ts";
import { locate } from "./locate.ts";

/** The properties shared by all effects of one call. */
export type Origin = {
  readonly where: string;
  readonly nodes: readonly Node[];
  /** Prefix of a field's name that the protocol leaves out: `message.` for typed data. */
  readonly prefix: string;
  readonly target: Address | null;
  readonly sender: Party;
  readonly isSelf: (address: Address) => boolean;
  /** Whether an address is, on this chain, a contract of the protocol that reads the call, in one of these roles. */
  readonly isOwnContract: (address: Address, roles: readonly string[] | undefined) => boolean;
  /** The contract that the owner acts through, if it is not the named account. */
  readonly account?: Address | null;
  readonly protocol: string;
  readonly function: string;
  readonly venue: string | null;
  readonly knowledge: Knowledge;
};

const plainFields = /^(value|message\.|domain\.)/;

const placeOf = (origin: Origin, field: string): Where => {
  const bytes = locate(origin.nodes, field);
  const named = plainFields.test(field) ? field : origin.prefix + field;
  return bytes === undefined
    ? { call: origin.where, field: named }
    : { call: origin.where, field: named, bytes };
};

/**
 * Funds sent to the called contract are lost, and the effect must show it. Only steps of a program hold funds for
 * later steps.
 */
const holdsForLater = new Set<Effect["act"]>(["transfer", "approve", "revoke", "admin", "opaque"]);

const nameParty = (origin: Origin, party: Party, act: Effect["act"]): Party => {
  if (party === "self" || party === "venue") return party;
  const address = party.toLowerCase() as Address;
  if (origin.isSelf(address)) return "self";
  return address === origin.target && !holdsForLater.has(act) ? "venue" : address;
};

const flowsOf = (origin: Origin, flows: readonly DraftFlow[] | undefined): readonly Flow[] =>
  (flows ?? []).map(({ asset, amount, at }) => ({ asset, amount, where: placeOf(origin, at) }));

const authorityOf = (origin: Origin, { act, authority }: Draft): Authority | null =>
  authority === undefined
    ? null
    : {
        spender: nameParty(origin, authority.spender, act),
        asset: authority.asset,
        amount: authority.amount,
        until: authority.until ?? null,
        signed: authority.signed ?? false,
        where: placeOf(origin, authority.at),
      };

const adminOf = (origin: Origin, { admin, act }: Draft): Effect["admin"] => {
  if (admin === undefined || admin === null) return null;
  return { ...admin, party: admin.party === null ? null : nameParty(origin, admin.party, act) };
};

/**
 * An account acts in its own name, and its outputs are the owner's. But its claim to act for the owner's other
 * account proves nothing: any contract can have a function called `execute`.
 */
const receiverOf = (origin: Origin, { receiver, payer, act }: Draft): Party | null => {
  if (receiver === undefined || receiver === null) return null;
  const isPulled = payer !== undefined && payer !== "self" && payer !== "venue" && payer !== origin.account;
  if (isPulled && receiver === origin.account && origin.isSelf(payer)) return receiver;
  return nameParty(origin, receiver, act);
};

const feesOf = (origin: Origin, { fees, act }: Draft): Effect["fees"] =>
  (fees ?? []).map(({ at, to, asset, share }) => ({
    to: nameParty(origin, to, act),
    asset,
    share,
    where: placeOf(origin, at),
  }));

const ADDRESS = /^0x[0-9a-f]{40}$/;

const isKnown = (origin: Origin, value: string, { known, roles }: DraftChoice): boolean => {
  if (known !== undefined) return known;
  if (!ADDRESS.test(value)) return false;
  const address = value as Address;
  return origin.isSelf(address) || origin.isOwnContract(address, roles);
};

const choicesOf = (origin: Origin, { choices }: Draft): readonly Choice[] =>
  (choices ?? []).map((choice) => {
    const text = choice.value.toString();
    const value = text.startsWith("0x") ? text.toLowerCase() : text;
    return {
      what: choice.what,
      value,
      known: isKnown(origin, value, choice),
      where: placeOf(origin, choice.at),
    };
  });

const placesOf = (origin: Origin, places: Draft["places"]): Effect["places"] =>
  Object.fromEntries(Object.entries(places ?? {}).map(([role, field]) => [role, placeOf(origin, field)]));

const selector = [0, 4] as const;

export const makeEffect = (origin: Origin, draft: Draft): Effect => ({
  act: draft.act,
  gives: flowsOf(origin, draft.gives),
  gets: flowsOf(origin, draft.gets),
  payer: nameParty(origin, draft.payer ?? origin.sender, draft.act),
  receiver: receiverOf(origin, draft),
  authority: authorityOf(origin, draft),
  fees: feesOf(origin, draft),
  venue: origin.venue,
  protocol: origin.protocol,
  toChain: draft.toChain ?? null,
  deadline: draft.deadline ?? null,
  terms: draft.terms ?? {},
  admin: adminOf(origin, draft),
  choices: choicesOf(origin, draft),
  knowledge: origin.knowledge,
  target: origin.target,
  function: origin.function,
  where: { call: origin.where, field: "function", ...(origin.nodes.length > 0 ? { bytes: selector } : {}) },
  places: placesOf(origin, draft.places),
});
