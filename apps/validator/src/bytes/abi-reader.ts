/**
 * Reads ABI bytes strictly. Returns every argument with its range of bytes, and reports every place where the bytes
 * differ from what an encoder writes: a lenient decoder can show one value to the owner and another to the contract.
 */
import type { EncodingFinding } from "../effects.ts";
import type { Hex } from "../proposal.ts";
import type { Member, Shape } from "./abi-shape.ts";

export type Range = readonly [number, number];

/** One argument, member or element. */
export type Node = {
  readonly name: string;
  readonly kind: Shape["kind"];
  readonly value: unknown;
  readonly bytes: Range;
  readonly children: readonly Node[];
};

export type Decoded = {
  /** Values have the form that viem uses, except that addresses are lower case. Null: the bytes cannot be read. */
  readonly values: readonly unknown[] | null;
  readonly nodes: readonly Node[];
  readonly findings: readonly EncodingFinding[];
  /** Where the arguments end. Anything after it is a trailer. */
  readonly end: number;
};

type Kind = EncodingFinding["kind"];

type State = {
  readonly hex: string;
  /** Position of the first byte of `hex` in the call's data: 4 after a selector. */
  readonly base: number;
  readonly length: number;
  readonly findings: EncodingFinding[];
  /** Limits the values per byte: with overlapping tails a few bytes could otherwise encode very many values. */
  nodesLeft: number;
};

class Unreadable extends Error {
  readonly kind: Kind;
  readonly bytes: Range;
  constructor(kind: Kind, bytes: Range, said: string) {
    super(said);
    this.kind = kind;
    this.bytes = bytes;
  }
}

const none: readonly Node[] = [];
const ZERO_WORD = "0".repeat(64);
const ONES_WORD = "f".repeat(64);

const rangeOf = (state: State, start: number, length: number): Range => [
  state.base + start,
  state.base + Math.min(start + length, state.length),
];

const note = (state: State, kind: Kind, bytes: Range, said: string): void => {
  state.findings.push({ kind, bytes, said });
};

const wordAt = (state: State, at: number): string => {
  if (at + 32 > state.length) {
    throw new Unreadable(
      "truncated",
      rangeOf(state, at, 32),
      `the data ends inside the word at byte ${state.base + at}`,
    );
  }
  return state.hex.slice(at * 2, at * 2 + 64);
};

/** Reads a length or an offset. A value larger than the data is an error. */
const countAt = (state: State, at: number, what: string): number => {
  const word = wordAt(state, at);
  const count = word.startsWith(ZERO_WORD.slice(0, 52)) ? Number.parseInt(word.slice(52), 16) : Infinity;
  if (count > state.length) {
    throw new Unreadable("truncated", rangeOf(state, at, 32), `${what} points past the end of the data`);
  }
  return count;
};

const isFill = (text: string, fill: string): boolean => text === fill.slice(0, text.length);

const checkHigh = (state: State, at: number, high: string, allowed: string): void => {
  if (isFill(high, allowed)) return;
  const said = `the word at byte ${state.base + at} has bits set that its type cannot hold`;
  note(state, "dirty_bits", rangeOf(state, at, 32), said);
};

const readUint = (state: State, at: number, bits: number): bigint | number => {
  const word = wordAt(state, at);
  if (bits < 256) checkHigh(state, at, word.slice(0, 64 - bits / 4), ZERO_WORD);
  const low = word.slice(64 - bits / 4);
  return bits <= 48 ? Number.parseInt(low, 16) : BigInt(`0x${low}`);
};

const readInt = (state: State, at: number, bits: number): bigint | number => {
  const word = wordAt(state, at);
  const low = word.slice(64 - bits / 4);
  const value = BigInt.asIntN(bits, BigInt(`0x${low}`));
  checkHigh(state, at, word.slice(0, 64 - bits / 4), value < 0n ? ONES_WORD : ZERO_WORD);
  return bits <= 48 ? Number(value) : value;
};

const readBool = (state: State, at: number): boolean => {
  const word = wordAt(state, at);
  checkHigh(state, at, word.slice(0, 63), ZERO_WORD);
  if (!"01".includes(word.slice(63))) checkHigh(state, at, word.slice(63), "0");
  return word !== ZERO_WORD;
};

const readAddress = (state: State, at: number): Hex => {
  const word = wordAt(state, at);
  checkHigh(state, at, word.slice(0, 24), ZERO_WORD);
  return `0x${word.slice(24)}`;
};

const readFixed = (state: State, at: number, bytes: number): Hex => {
  const word = wordAt(state, at);
  checkHigh(state, at, word.slice(bytes * 2), ZERO_WORD);
  return `0x${word.slice(0, bytes * 2)}`;
};

const readBlob = (state: State, at: number): { content: string; from: number; end: number } => {
  const length = countAt(state, at, "a length");
  const from = at + 32;
  if (from + length > state.length) {
    throw new Unreadable(
      "truncated",
      rangeOf(state, from, length),
      `${length} bytes are declared, but fewer follow`,
    );
  }
  const end = from + Math.ceil(length / 32) * 32;
  const padding = state.hex.slice((from + length) * 2, end * 2);
  const said = `the padding after byte ${state.base + from + length} is not zero or is cut short`;
  if (end > state.length || !isFill(padding, ZERO_WORD)) {
    note(state, "padding", [state.base + from + length, state.base + Math.min(end, state.length)], said);
  }
  return { content: state.hex.slice(from * 2, (from + length) * 2), from, end: Math.min(end, state.length) };
};

type Read = { readonly node: Node; readonly end: number };

const readValue = (state: State, shape: Shape, at: number): unknown => {
  switch (shape.kind) {
    case "uint":
      return readUint(state, at, shape.bits);
    case "int":
      return readInt(state, at, shape.bits);
    case "bool":
      return readBool(state, at);
    case "address":
      return readAddress(state, at);
    case "fixed":
      return readFixed(state, at, shape.bytes);
    case "bytes":
    case "string":
    case "array":
    case "tuple":
      throw new Error("not a word");
  }
};

const readArray = (
  state: State,
  shape: Shape & { kind: "array" },
  at: number,
): { nodes: Node[]; end: number } => {
  const length = shape.length ?? countAt(state, at, "the length of a list");
  const start = shape.length === null ? at + 32 : at;
  if (start + length * shape.of.size > state.length) {
    throw new Unreadable(
      "truncated",
      rangeOf(state, at, 32),
      `a list declares ${length} elements, but fewer follow`,
    );
  }
  return readMembers(state, (i) => ({ name: String(i), shape: shape.of }), length, start);
};

const tupleValue = (shape: Shape & { kind: "tuple" }, nodes: readonly Node[]): unknown =>
  shape.named
    ? Object.fromEntries(nodes.map(({ name, value }) => [name, value]))
    : nodes.map(({ value }) => value);

const readOne = (state: State, { name, shape }: Member, at: number): Read => {
  state.nodesLeft -= 1;
  if (state.nodesLeft < 0) {
    throw new Unreadable(
      "undecodable",
      rangeOf(state, at, 32),
      "the same bytes are used for too many values",
    );
  }
  const { kind } = shape;
  if (kind === "bytes" || kind === "string") {
    const { content, from, end } = readBlob(state, at);
    const value = kind === "bytes" ? `0x${content}` : Buffer.from(content, "hex").toString("utf8");
    return {
      node: { name, kind, value, bytes: rangeOf(state, from, content.length / 2), children: none },
      end,
    };
  }
  if (kind === "array") {
    const { nodes, end } = readArray(state, shape, at);
    const value = nodes.map((node) => node.value);
    return { node: { name, kind, value, bytes: rangeOf(state, at, end - at), children: nodes }, end };
  }
  if (kind === "tuple") {
    const { nodes, end } = readMembers(state, (i) => shape.members[i], shape.members.length, at);
    const value = tupleValue(shape, nodes);
    return { node: { name, kind, value, bytes: rangeOf(state, at, end - at), children: nodes }, end };
  }
  const value = readValue(state, shape, at);
  return { node: { name, kind, value, bytes: rangeOf(state, at, 32), children: none }, end: at + 32 };
};

/** Follows an offset, and compares it with the only place where an encoder puts the value. */
const follow = (state: State, head: number, start: number, expected: number): number => {
  const at = start + countAt(state, head, "an offset");
  if (at === expected) return at;
  const said = `the offset at byte ${state.base + head} points to byte ${state.base + at}; an encoder writes ${state.base + expected}`;
  note(state, at < expected ? "overlap" : "offset", rangeOf(state, head, 32), said);
  return at;
};

const readMembers = (
  state: State,
  memberAt: (i: number) => Member | undefined,
  count: number,
  start: number,
): { nodes: Node[]; end: number } => {
  let headEnd = start;
  for (let i = 0; i < count; i += 1) headEnd += memberAt(i)?.shape.size ?? 0;
  let head = start;
  let tail = headEnd;
  const nodes: Node[] = [];
  for (let i = 0; i < count; i += 1) {
    const member = memberAt(i);
    if (member === undefined) break;
    const at = member.shape.dynamic ? follow(state, head, start, tail) : head;
    const { node, end } = readOne(state, member, at);
    nodes.push(node);
    if (member.shape.dynamic) tail = Math.max(tail, end);
    head += member.shape.size;
  }
  return { nodes, end: tail };
};

/**
 * Reads `members` from `data` (lower case). The first `base` bytes, usually a selector, are not part of them. Never
 * throws.
 */
export const readAbi = (members: readonly Member[], data: Hex, base: number): Decoded => {
  const hex = data.slice(2 + base * 2);
  const length = Math.floor(hex.length / 2);
  const words = Math.ceil(length / 32);
  const state: State = { hex, base, length, findings: [], nodesLeft: words * 2 + 64 };
  try {
    const { nodes, end } = readMembers(state, (i) => members[i], members.length, 0);
    return {
      values: nodes.map(({ value }) => value),
      nodes,
      findings: state.findings,
      end: base + Math.min(end, length),
    };
  } catch (error) {
    const finding =
      error instanceof Unreadable
        ? { kind: error.kind, bytes: error.bytes, said: error.message }
        : {
            kind: "undecodable" as const,
            bytes: rangeOf(state, 0, length),
            said: "the arguments cannot be read",
          };
    return { values: null, nodes: [], findings: [...state.findings, finding], end: base + length };
  }
};
