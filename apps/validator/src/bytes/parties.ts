/** Lists every address in the proposal with its role: lists are searched for all of them, not only for the receivers. */
import type { Asset, Effect, Leaf, OpenedPart, Party, Reading, Where } from "../effects.ts";
import type { Address, Proposal } from "../proposal.ts";
import type { Node } from "./abi-reader.ts";
import type { Origin } from "./make-effect.ts";
import { ORDER, verifierOf } from "./read-typed-data.ts";

type Add = (address: string | null | undefined, role: string, where: Where) => void;

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const MAX_DEPTH = 12;

const addAsset = (add: Add, asset: Asset | null, where: Where): void => {
  if (asset !== null && (asset.kind === "token" || asset.kind === "nft")) add(asset.address, "token", where);
};

const addEffect = (add: Add, effect: Effect): void => {
  const place = (role: string): Where => effect.places[role] ?? effect.where;
  const party = (who: Party | null, role: string): void => {
    add(who, role, place(role));
  };
  if (effect.payer !== "self") party(effect.payer, "payer");
  party(effect.receiver, "recipient");
  if (effect.authority !== null) add(effect.authority.spender, "spender", effect.authority.where);
  addAsset(add, effect.authority?.asset ?? null, effect.where);
  for (const { asset, where } of [...effect.gives, ...effect.gets]) addAsset(add, asset, where);
  for (const fee of effect.fees) add(fee.to, "fee", fee.where);
  party(effect.admin?.party ?? null, "admin");
  for (const { what, value, where } of effect.choices) add(value, what, where);
  add(effect.terms.delegatecall, "delegate", effect.where);
  for (const hop of effect.terms.path ?? []) add(hop, "path", effect.where);
};

const addNodes = (add: Add, where: string, nodes: readonly Node[]): void => {
  for (const { name, kind, value, bytes, children } of nodes) {
    if (kind === "address") add(String(value), name, { call: where, field: name, bytes });
    else addNodes(add, where, children);
  }
};

const addMessage = (add: Add, value: unknown, field: string, depth: number): void => {
  if (typeof value === "string" && ADDRESS.test(value)) {
    add(value, field.slice(field.lastIndexOf(".") + 1), { call: ORDER, field });
  } else if (typeof value === "object" && value !== null && depth < MAX_DEPTH) {
    for (const [key, item] of Object.entries(value)) addMessage(add, item, `${field}.${key}`, depth + 1);
  }
};

const addTypedData = (add: Add, proposal: Proposal): void => {
  if (proposal.typedData === null) return;
  add(verifierOf(proposal.typedData), "to", { call: ORDER, field: "domain.verifyingContract" });
  addMessage(add, proposal.typedData.message, "message", 0);
};

/** Finds addresses inside arguments that have an encoding of their own. */
const addOpened = (add: Add, { where, at, leaves }: OpenedPart): void => {
  for (const { path, value, isAddress } of leaves) {
    if (!isAddress || typeof value !== "string") continue;
    add(value, path.slice(path.lastIndexOf(".") + 1), { call: where, field: `${at}.${path}` });
  }
};

type Found = { readonly nodes: readonly Origin[]; readonly opened: readonly OpenedPart[] };

export const partiesOf = (
  proposal: Proposal,
  { nodes: origins, opened }: Found,
  effects: readonly Effect[],
  leaves: readonly Leaf[],
): Reading["parties"] => {
  const found = new Map<string, Reading["parties"][number]>();
  const add: Add = (address, role, where) => {
    // Parties are addresses, or the keywords self and venue.
    if (typeof address !== "string" || address.length !== 42) return;
    const lower = address.toLowerCase() as Address;
    const key = `${role}:${lower}`;
    if (!found.has(key)) found.set(key, { address: lower, role, where });
  };
  for (const { to, where } of leaves) add(to, "to", { call: where, field: "to" });
  for (const { at, delegate } of proposal.authorizations)
    add(delegate, "delegate", { call: at, field: "address" });
  for (const effect of effects) addEffect(add, effect);
  for (const { where, nodes } of origins) addNodes(add, where, nodes);
  for (const part of opened) addOpened(add, part);
  addTypedData(add, proposal);
  return [...found.values()];
};
