/** Records one call for display: what was read, and from which bytes. */
import type { Leaf, Party } from "../effects.ts";
import type { Address, Hex } from "../proposal.ts";
import type { Node } from "./abi-reader.ts";
import type { Reader } from "./choose-reader.ts";

export type Frame = {
  readonly where: string;
  readonly depth: number;
  readonly sender: Party;
  readonly delegatecall: boolean;
  /** Part of its caller's program: the caller composes it with the other parts. */
  readonly program: boolean;
  readonly self: ReadonlySet<Address>;
  /** The contract that the owner acts through, if it is not the named account. */
  readonly account: Address | null;
  /** Where the call's data begins in the outermost call's. Null: it is not contained there. */
  readonly base: number | null;
};

export type CallToRead = { readonly to: Address | null; readonly value: bigint; readonly data: Hex };

const MAX_ARGS = 64;
const MAX_TEXT = 140;

const textOf = (value: unknown): string => {
  const text = typeof value === "string" ? value : String(value);
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
};

const collect = (into: Leaf["args"][number][], prefix: string, nodes: readonly Node[]): void => {
  for (const { name, kind, value, bytes, children } of nodes) {
    if (into.length >= MAX_ARGS) return;
    const path = prefix === "" ? name : /^\d/.test(name) ? `${prefix}[${name}]` : `${prefix}.${name}`;
    if (kind === "tuple" || kind === "array") collect(into, path, children);
    else into.push({ name: path, value: textOf(value), bytes });
  }
};

const howRead = (
  call: CallToRead,
  reader: Reader | null,
): Pick<Leaf, "protocol" | "function" | "knowledge" | "encoding"> => {
  if (reader !== null) {
    const { known, knowledge, decoded } = reader;
    return { protocol: known.protocol, function: known.abi.name, knowledge, encoding: [...decoded.findings] };
  }
  const isPlain = call.data === "0x" || call.to === null;
  return { protocol: null, function: null, knowledge: isPlain ? "standard" : "none", encoding: [] };
};

export const makeLeaf = (frame: Frame, call: CallToRead, reader: Reader | null): Leaf => {
  const args: Leaf["args"][number][] = [];
  if (reader !== null) collect(args, "", reader.decoded.nodes);
  const { where, depth, sender, delegatecall, base } = frame;
  const length = (call.data.length - 2) / 2;
  const place = base === null || !Number.isInteger(length) ? null : ([base, base + length] as const);
  return { where, depth, sender, ...call, delegatecall, ...howRead(call, reader), args, place };
};
