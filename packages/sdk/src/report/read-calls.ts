// Reads the nested calls, their effects, and their positions in the transaction's calldata.
import type { CallName, CallNode, Effect, Place, ReadReport } from "./types.ts";
import { listOf, membersOf, rangeOf, type TextOf } from "./values.ts";

/** Deeper than any validator unwraps. */
const deepest = 32;

type Reading = { readonly textOf: TextOf; readonly effects: ReadonlyMap<string, readonly Effect[]> };

export function callsOf(value: unknown, effects: readonly Effect[], textOf: TextOf): readonly CallNode[] {
  const byCall = new Map<string, Effect[]>();
  for (const effect of effects) {
    const call = effect.where?.call ?? "";
    const known = byCall.get(call);
    if (known === undefined) byCall.set(call, [effect]);
    else known.push(effect);
  }
  return nodesOf(value, { textOf, effects: byCall }, 0);
}

const nodesOf = (value: unknown, reading: Reading, depth: number): readonly CallNode[] =>
  depth > deepest ? [] : listOf(value).map((one) => nodeOf(one, reading, depth));

function nodeOf(value: unknown, reading: Reading, depth: number): CallNode {
  const { call, to, value: wei, protocol, known, delegatecall, data, calls, ...rest } = membersOf(value);
  const { textOf, effects } = reading;
  const name = textOf(call) ?? "?";
  return {
    call: name,
    to: textOf(to),
    value: textOf(wei),
    function: textOf(rest["function"]),
    protocol: textOf(protocol),
    isKnown: known === true,
    isDelegate: delegatecall === true,
    data: rangeOf(data),
    named: known === true ? null : nameOf(rest["named"], textOf),
    children: nodesOf(calls, reading, depth + 1),
    effects: effects.get(name) ?? [],
  };
}

function nameOf(value: unknown, textOf: TextOf): CallName | null {
  const { contract, intent, source, as_of: asOf, arguments: given, ...rest } = membersOf(value);
  const [label, name] = [textOf(contract), textOf(rest["function"])];
  if (label === null && name === null) return null;
  return {
    contract: label,
    function: name,
    intent: textOf(intent),
    arguments: listOf(given).flatMap((one) => {
      const { name: at, label: words, value: text } = membersOf(one);
      const path = textOf(at);
      return path === null ? [] : [{ name: path, label: textOf(words), value: textOf(text) ?? "" }];
    }),
    source: textOf(source),
    asOf: textOf(asOf),
  };
}

function find(nodes: readonly CallNode[], call: string): CallNode | undefined {
  for (const node of nodes) {
    const found = node.call === call ? node : find(node.children, call);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the byte range of a place in the transaction's calldata, or null if unknown. */
export function placeInData({ calls }: ReadReport, place: Place): readonly [number, number] | null {
  if (place.bytes === null) return null;
  const [from, to] = place.bytes;
  // The outermost call's data is the transaction's, even if the report lists no calls.
  const data = calls.length === 0 && place.call === "proposed_tx" ? [0, to] : find(calls, place.call)?.data;
  if (data === undefined || data === null) return null;
  const [start = 0, end = 0] = data;
  return start + to <= end ? [start + from, start + to] : null;
}
