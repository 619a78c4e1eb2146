/** The three kinds of openings: ABI-encoded bytes, fields packed into a word, and fields packed one after the other. */
import type { AbiParameter, AbiParametersToPrimitiveTypes, ParseAbiParameters } from "abitype";
import { parseAbiParameters } from "viem/utils";
import type { Hex } from "../proposal.ts";
import {
  accountFor,
  useAt,
  type OpenedLeaf,
  type Opening,
  type Use,
  type UsesOf,
  type UseTree,
} from "../uses.ts";
import type { Node } from "./abi-reader.ts";
import { decode, planFor } from "./decode.ts";

const leavesOf = (
  nodes: readonly Node[],
  uses: UseTree,
  above: readonly string[] = [],
): readonly OpenedLeaf[] =>
  nodes.flatMap(({ name, kind, value, bytes, children }) => {
    const path = [...above, name];
    if (kind === "tuple" || kind === "array") return leavesOf(children, uses, path);
    const use = useAt(uses, path);
    if (use === null) throw new Error(`"${path.join(".")}" is not accounted for`);
    return [
      { path: path.join("."), value, isAddress: kind === "address", use, bits: [bytes[0] * 8, bytes[1] * 8] },
    ];
  });

/** Values of ABI-encoded bytes, typed by their declaration. */
export type BlobValues<P extends string> = AbiParametersToPrimitiveTypes<
  ParseAbiParameters<P> extends infer A extends readonly AbiParameter[] ? A : readonly AbiParameter[]
>;

/**
 * ABI-encoded bytes: `blob("address recipient, uint256 amount", { … })`. `skipBytes`: the length of a selector before
 * them.
 */
export function blob<const P extends string>(
  parameters: P,
  uses: UsesOf<ParseAbiParameters<P>>,
  { skipBytes = 0 }: { readonly skipBytes?: number } = {},
): Opening<BlobValues<P>> {
  const inputs = parseAbiParameters<string>(parameters);
  const plan = planFor(inputs);
  const tree = uses;
  return {
    name: parameters,
    fields: accountFor(inputs, tree),
    read: (data) => {
      const { values, nodes, findings } = decode(plan, data, skipBytes);
      const [first] = findings;
      if (values === null || first !== undefined) throw new Error(first?.said ?? "cannot be read");
      return { values: values as BlobValues<P>, leaves: () => leavesOf(nodes, tree) };
    },
  };
}

/** A field of a packed word: where it begins, counted from the lowest bit, and how many bits it has. */
export type WordField = { readonly at: number; readonly bits: number; readonly use: Use };

const WORD_BITS = 256;

/** Throws if fields overlap or leave out bits of the word. */
function checkWord(name: string, fields: Readonly<Record<string, WordField>>): void {
  let next = 0;
  for (const [field, { at, bits }] of Object.entries(fields).sort((a, b) => a[1].at - b[1].at)) {
    if (at !== next) throw new Error(`${name}: bit ${next} belongs to no field, or to ${field} and another`);
    next = at + bits;
  }
  if (next !== WORD_BITS) throw new Error(`${name}: bits from ${next} on belong to no field`);
}

/** Fields packed into one 32-byte word. Every bit belongs to exactly one of them. */
export function word<const F extends Readonly<Record<string, WordField>>>(
  name: string,
  fields: F,
): Opening<{ readonly [K in keyof F]: bigint }> {
  checkWord(name, fields);
  const entries = Object.entries(fields);
  return {
    name,
    fields: entries.map(([path, { bits, use }]) => ({ path, type: `${bits} bits`, use })),
    read: (data) => {
      const value = BigInt(data);
      const read = ({ at, bits }: WordField): bigint => (value >> BigInt(at)) & ((1n << BigInt(bits)) - 1n);
      return {
        values: Object.fromEntries(entries.map(([key, field]) => [key, read(field)])) as {
          [K in keyof F]: bigint;
        },
        leaves: () =>
          entries.map(([path, field]) => ({
            path,
            value: read(field),
            isAddress: field.bits === 160,
            use: field.use,
            bits: [WORD_BITS - field.at - field.bits, WORD_BITS - field.at],
          })),
      };
    },
  };
}

/** A field of packed bytes. `bytes` "rest": all that remain. */
export type PackedField = { readonly name: string; readonly bytes: number | "rest"; readonly use: Use };

export type PackedValues = {
  readonly head: Readonly<Record<string, Hex>>;
  readonly items: readonly Readonly<Record<string, Hex>>[];
};

type Cut = { readonly value: Hex; readonly from: number; readonly to: number };

const sizeOf = (fields: readonly PackedField[]): number =>
  fields.reduce((sum, { bytes }) => sum + (bytes === "rest" ? 0 : bytes), 0);

/** Fields without padding: first those of `head`, then those of `repeat` as often as they fit exactly. */
export function packed(
  name: string,
  { head, repeat = [] }: { readonly head: readonly PackedField[]; readonly repeat?: readonly PackedField[] },
): Opening<PackedValues> {
  const type = ({ bytes }: PackedField): string => (bytes === "rest" ? "bytes" : `bytes${bytes}`);
  return {
    name,
    fields: [
      ...head.map((field) => ({ path: field.name, type: type(field), use: field.use })),
      ...repeat.map((field) => ({ path: `[].${field.name}`, type: type(field), use: field.use })),
    ],
    read: (data) => {
      const length = (data.length - 2) / 2;
      const leaves: OpenedLeaf[] = [];
      let at = 0;
      const cut = (bytes: number | "rest"): Cut => {
        const from = at;
        at = bytes === "rest" ? length : from + bytes;
        if (at > length) throw new Error(`${name} ends inside a field`);
        return { value: `0x${data.slice(2 + from * 2, 2 + at * 2)}`, from, to: at };
      };
      const readAll = (fields: readonly PackedField[], prefix: string): Readonly<Record<string, Hex>> =>
        Object.fromEntries(
          fields.map(({ name: field, bytes, use }) => {
            const { value, from, to } = cut(bytes);
            leaves.push({
              path: prefix + field,
              value,
              isAddress: bytes === 20,
              use,
              bits: [from * 8, to * 8],
            });
            return [field, value];
          }),
        );
      const first = readAll(head, "");
      const items: Readonly<Record<string, Hex>>[] = [];
      while (sizeOf(repeat) > 0 && at < length) items.push(readAll(repeat, `${items.length}.`));
      if (at !== length) throw new Error(`${name} has ${length - at} extra bytes`);
      return { values: { head: first, items }, leaves: () => leaves };
    },
  };
}
