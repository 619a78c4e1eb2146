// Wraps a payload into the request that a caller would send. The form (letter case, number format, where the context
// is) is drawn once per scenario and shared by attack and twin, so that it never distinguishes them.
import { toQuantity } from "ethers";
import { must } from "../must.ts";
import { encode } from "../recipes/index.ts";
import type { Rng } from "../rng.ts";
import type { Call, Metadata, Params, ProposedTx, ValidateRequest } from "../types.ts";

export type Envelope = {
  lower: boolean;
  value: "decimal" | "hex" | "number";
  place: "metadata" | "context";
  chainInTx: boolean;
  balances: boolean;
  known: { address: string; label?: string }[];
  recents: string[];
  /** For a Safe the caller may name the Safe or the owner who sends. */
  fromSafe: boolean;
};

export function drawEnvelope(rng: Rng, p: Params): Envelope {
  const known: Envelope["known"] = [];
  if (p.say.recipient === "label" || p.say.recipient === "ens")
    known.push({ address: p.recipient, label: must(p.say.label) });
  if (p.ourLabel) known.push({ address: p.actor, label: p.ourLabel });
  if (rng.chance(0.4))
    known.push({ address: rng.address(), label: rng.pick(["exchange", "Erin", "hot wallet"]) });
  const recents = Array.from({ length: rng.int(0, 3) }, () => rng.address());
  if (p.say.recipient && rng.chance(0.5)) recents.push(p.recipient);
  return {
    lower: rng.chance(0.4),
    value: rng.pick(["decimal", "decimal", "hex", "number"] as const),
    place: rng.chance(0.88) ? "metadata" : "context",
    chainInTx: rng.chance(0.3),
    balances: rng.chance(0.3),
    known,
    recents: rng.shuffle(recents),
    fromSafe: (p.wrap === "safe" || p.wrap === "multisend") && rng.chance(0.5),
  };
}

function valueForm(value: bigint, form: Envelope["value"]): string | number {
  if (form === "hex") return toQuantity(value);
  if (form === "number" && value <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(value);
  return value.toString();
}

function txOf(call: Call, e: Envelope): ProposedTx {
  return {
    to: e.lower ? call.to.toLowerCase() : call.to,
    data: call.data,
    value: valueForm(call.value, e.value),
  };
}

function balancesOf(p: Params): Record<string, string> {
  const key = must(p.give).native ? "native" : must(p.give).address;
  const enough = p.payees.reduce((s, x) => s + x.amount, 0n) + p.amount;
  const held = p.balance ?? enough * 3n;
  return { [key]: held.toString() };
}

function proposedTx(p: Params, e: Envelope): ProposedTx {
  const payload = encode(p);
  const [first] = payload.calls;
  const tx: ProposedTx = {};
  if (payload.calls.length === 1 && first) Object.assign(tx, txOf(first, e));
  if (payload.calls.length > 1) tx.transactions = payload.calls.map((c) => txOf(c, e));
  if (payload.order) tx.order = payload.order;
  if (payload.auth) tx.authorizationList = payload.auth;
  if (e.chainInTx) tx.chainId = p.chain;
  return tx;
}

/** `honest` supplies what the caller knows; `p` supplies the transaction. */
export function buildRequest(text: string, p: Params, honest: Params, e: Envelope): ValidateRequest {
  const tx = proposedTx(p, e);
  const from = e.fromSafe ? p.actor : p.sender;
  const context = { from, chain_id: p.chain };
  const metadata: Metadata = { now: p.now };
  if (e.place === "metadata") Object.assign(metadata, context);
  else tx.context = context;
  if (e.known.length > 0) metadata.known_addresses = e.known;
  if (e.recents.length > 0) metadata.recent_counterparties = e.recents;
  const symbols = Object.keys(honest.prices);
  if (symbols.length > 0) metadata.prices_usd = honest.prices;
  if (honest.give && (e.balances || honest.balance !== undefined) && honest.amount < 1n << 200n)
    metadata.balances = balancesOf(honest);
  return { human_intent: text, proposed_tx: tx, metadata };
}
