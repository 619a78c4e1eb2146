// Derives the balance and allowance changes that a request asks for, from the parameters of the request and never from
// the calldata.
import { tokenOf } from "../data/tokens.ts";
import { must } from "../must.ts";
import type { Action, Params, Token } from "../types.ts";

/** The allowance that exists before a request to revoke it. */
export const STANDING_ALLOWANCE = 10n ** 24n;

/** Maps "kind|asset|holder" to the signed change. */
export type Footprint = Map<string, bigint>;

export const key = (...parts: string[]): string => parts.map((x) => x.toLowerCase()).join("|");

export function bump(f: Footprint, name: string, by: bigint): void {
  const sum = (f.get(name) ?? 0n) + by;
  if (sum === 0n) f.delete(name);
  else f.set(name, sum);
}

function move(f: Footprint, token: Token, [from, to]: readonly [string, string], amount: bigint): void {
  const asset = token.native ? "native" : token.address;
  bump(f, key("balance", asset, from), -amount);
  bump(f, key("balance", asset, to), amount);
}

function swapped(f: Footprint, p: Params): void {
  // V2 and V3 routers wrap the coin; the mock keeps it unwrapped.
  move(f, must(p.give), [p.actor, p.target], p.amount);
  move(f, must(p.get), [p.target, p.recipient], p.minOut);
}

function lending(f: Footprint, p: Params): void {
  const asset = must(p.give).address;
  const inward = p.action === "supply" || p.action === "repay";
  const receiver = p.action === "withdraw" ? p.recipient : p.actor;
  move(f, must(p.give), inward ? [p.actor, p.target] : [p.target, receiver], p.amount);
  const ledger = p.action === "supply" || p.action === "withdraw" ? "position" : "debt";
  const grows = p.action === "supply" || p.action === "borrow";
  const owner = p.action === "withdraw" ? p.actor : p.recipient;
  bump(f, key(ledger, asset, owner), grows ? p.amount : -p.amount);
}

function wrapped(f: Footprint, p: Params): void {
  const weth = tokenOf(p.chain, "WETH");
  const sign = p.action === "wrap" ? 1n : -1n;
  bump(f, key("balance", "native", p.actor), -sign * p.amount);
  bump(f, key("balance", "native", weth.address), sign * p.amount);
  bump(f, key("balance", weth.address, p.actor), sign * p.amount);
}

/** The actions that the oracle can run. */
const changes: Partial<Record<Action, (f: Footprint, p: Params) => void>> = {
  transfer: (f, p) => {
    move(f, must(p.give), [p.actor, p.recipient], p.amount);
  },
  payroll: (f, p) => {
    for (const x of p.payees) move(f, must(p.give), [p.actor, x.to], x.amount);
  },
  revoke: (f, p) => {
    bump(f, key("allowance", must(p.give).address, p.spender), -STANDING_ALLOWANCE);
  },
  approve: (f, p) => {
    bump(f, key("allowance", must(p.give).address, p.spender), p.amount);
  },
  wrap: wrapped,
  unwrap: wrapped,
  swap: swapped,
  swap_exact_out: swapped,
  supply: lending,
  withdraw: lending,
  borrow: lending,
  repay: lending,
};

export function expected(p: Params): Footprint {
  const f: Footprint = new Map();
  must(changes[p.action])(f, p);
  return f;
}
