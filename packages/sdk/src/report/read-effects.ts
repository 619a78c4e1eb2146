// Reads the effects and the net effect of a report.
import { describeEffect } from "./describe.ts";
import type { Asset, Authority, ControlChange, Effect, Flow, NetEffect } from "./types.ts";
import { isThere, listOf, membersOf, numberOf, placeOf, type TextOf } from "./values.ts";

export function assetOf(value: unknown, textOf: TextOf): Asset {
  const { kind, symbol, address, id, why } = membersOf(value);
  return {
    kind: textOf(kind) ?? "unsaid",
    symbol: textOf(symbol),
    address: textOf(address),
    id: textOf(id),
    why: textOf(why),
  };
}

function flowOf(value: unknown, textOf: TextOf): Flow {
  const { least, most, usd } = membersOf(value);
  return { ...assetOf(value, textOf), least: textOf(least), most: textOf(most), usd: textOf(usd) };
}

const flowsOf = (value: unknown, textOf: TextOf): readonly Flow[] =>
  listOf(value).map((one) => flowOf(one, textOf));

function authorityOf(value: unknown, textOf: TextOf): Authority {
  const { spender, asset, most, until, signed } = membersOf(value);
  return {
    spender: textOf(spender) ?? "no one",
    asset: isThere(asset) ? assetOf(asset, textOf) : null,
    most: textOf(most),
    until: textOf(until),
    signed: signed === true,
  };
}

function controlOf(value: unknown, textOf: TextOf): ControlChange {
  const { kind, party } = membersOf(value);
  return { kind: textOf(kind) ?? "?", party: textOf(party) };
}

export function effectOf(value: unknown, textOf: TextOf): Effect {
  const { gives, gets, authority, admin, to_chain: toChain, where, ...effect } = membersOf(value);
  const read = {
    act: textOf(effect["act"]),
    gives: flowsOf(gives, textOf),
    gets: flowsOf(gets, textOf),
    payer: textOf(effect["payer"]),
    receiver: textOf(effect["receiver"]),
    authority: isThere(authority) ? authorityOf(authority, textOf) : null,
    control: isThere(admin) ? controlOf(admin, textOf) : null,
    venue: textOf(effect["venue"]),
    protocol: textOf(effect["protocol"]),
    knowledge: textOf(effect["knowledge"]),
    function: textOf(effect["function"]),
    target: textOf(effect["target"]),
    toChain: numberOf(toChain),
    deadline: textOf(effect["deadline"]),
    where: placeOf(where, textOf),
  };
  return { ...read, sentence: describeEffect(read) };
}

export function netOf(value: unknown, textOf: TextOf): NetEffect {
  const { leaves, arrives, others, authority, admin } = membersOf(value);
  return {
    leaves: flowsOf(leaves, textOf),
    arrives: flowsOf(arrives, textOf),
    others: listOf(others).map((one) => ({
      ...flowOf(one, textOf),
      party: textOf(membersOf(one)["party"]) ?? "no one",
    })),
    authority: listOf(authority).map((one) => authorityOf(one, textOf)),
    control: listOf(admin).map((one) => controlOf(one, textOf)),
  };
}
