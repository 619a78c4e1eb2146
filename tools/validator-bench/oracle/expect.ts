// What the words promise, as balance and permission changes. Written from the
// parameters behind the words, never from the calldata.
import { tokenOf } from "../data/tokens.ts";
import type { Params, Token } from "../types.ts";

/** What a spender may take before somebody asks to revoke it. */
export const STANDING_ALLOWANCE = 10n ** 24n;

/** "kind|asset|holder" to the signed change. */
export type Footprint = Map<string, bigint>;

export const key = (...parts: string[]): string => parts.map((x) => x.toLowerCase()).join("|");

export function bump(f: Footprint, name: string, by: bigint): void {
  const sum = (f.get(name) ?? 0n) + by;
  if (sum === 0n) f.delete(name);
  else f.set(name, sum);
}

function move(f: Footprint, token: Token, from: string, to: string, amount: bigint): void {
  const asset = token.native ? "native" : token.address;
  bump(f, key("balance", asset, from), -amount);
  bump(f, key("balance", asset, to), amount);
}

function swapped(f: Footprint, p: Params): void {
  // V2 and V3 routers wrap on the way; the mock keeps the coin as it came.
  move(f, p.give!, p.actor, p.target, p.amount);
  move(f, p.get!, p.target, p.recipient, p.minOut);
}

function lending(f: Footprint, p: Params): void {
  const asset = p.give!.address;
  const inward = p.action === "supply" || p.action === "repay";
  if (inward) move(f, p.give!, p.actor, p.target, p.amount);
  else move(f, p.give!, p.target, p.action === "withdraw" ? p.recipient : p.actor, p.amount);
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

export function expected(p: Params): Footprint {
  const f: Footprint = new Map();
  switch (p.action) {
    case "transfer":
      move(f, p.give!, p.actor, p.recipient, p.amount);
      break;
    case "payroll":
      for (const x of p.payees) move(f, p.give!, p.actor, x.to, x.amount);
      break;
    case "revoke":
      bump(f, key("allowance", p.give!.address, p.spender), -STANDING_ALLOWANCE);
      break;
    case "approve":
      bump(f, key("allowance", p.give!.address, p.spender), p.amount);
      break;
    case "wrap":
    case "unwrap":
      wrapped(f, p);
      break;
    case "swap":
    case "swap_exact_out":
      swapped(f, p);
      break;
    default:
      lending(f, p);
  }
  return f;
}
