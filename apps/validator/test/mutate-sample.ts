/**
 * Changes every argument of a sample, one at a time, and checks that the result changes. An argument whose change has
 * no effect must be declared inert: any other is a hole through which funds could be redirected.
 */
import { decode } from "../src/bytes/decode.ts";
import { pathParts } from "../src/bytes/locate.ts";
import { writeAbi } from "../src/bytes/abi-writer.ts";
import type { Node } from "../src/bytes/abi-reader.ts";
import { readBytes } from "../src/bytes/read-bytes.ts";
import type { Leaf, Reading } from "../src/effects.ts";
import type { Hex, Proposal, TypedData } from "../src/proposal.ts";
import { useAt, type Use } from "../src/uses.ts";
import type { KnownFunction, Protocols } from "../src/protocols/load-protocols.ts";
import { describeEffect, proposalOf, smallRegistry, type Sample } from "./protocols.ts";

/** One change, and the argument that it changes. */
type Mutation = {
  readonly argument: string;
  readonly use: Use;
  readonly how: string;
  readonly proposal: Proposal;
};

/** The result of one change. */
export type Mutated = {
  readonly sample: string;
  readonly argument: string;
  readonly how: string;
  readonly use: Use;
  readonly noticed: boolean;
};

/** The content of a reading, without places. */
const signatureOf = ({ effects, leaves, limit }: Reading): string =>
  JSON.stringify(
    [effects.map(describeEffect), leaves.map(({ encoding }) => encoding), limit],
    (_key, value: unknown) => (typeof value === "bigint" ? value.toString() : value),
  );

const OTHER_ADDRESS = `0x${"7".repeat(40)}`;

type Change = { readonly how: string; readonly to: bigint };

const ones = (bits: number): bigint => (1n << BigInt(bits)) - 1n;

/** Other values for a field of this many bits. */
const changesOf = (value: bigint, bits: number, isAddress: boolean): readonly Change[] => {
  const all: Change[] = isAddress
    ? [
        { how: "other address", to: BigInt(OTHER_ADDRESS) },
        { how: "last digit", to: value ^ 1n },
        { how: "zero", to: 0n },
      ]
    : [
        { how: "zero", to: 0n },
        { how: "+1", to: value + 1n },
        { how: "×10", to: value * 10n },
        { how: "maximum", to: ones(bits) },
        { how: "highest bit", to: value ^ (1n << BigInt(bits - 1)) },
        { how: "lowest bit", to: value ^ 1n },
      ];
  const seen = new Set([value]);
  return all.filter(({ to }) => {
    if (to < 0n || to > ones(bits) || seen.has(to)) return false;
    seen.add(to);
    return true;
  });
};

type Field = {
  readonly argument: string;
  readonly use: Use;
  readonly from: number;
  readonly to: number;
  readonly isAddress: boolean;
  readonly isBytes: boolean;
};

/** Writes a value over bits of the data. */
const overwrite = (data: Hex, from: number, to: number, value: bigint): Hex => {
  const total = (data.length - 2) * 4;
  const shift = BigInt(total - to);
  const mask = ones(to - from) << shift;
  const changed = (BigInt(data) & ~mask) | (value << shift);
  return `0x${changed.toString(16).padStart(data.length - 2, "0")}`;
};

const readBits = (data: Hex, from: number, to: number): bigint =>
  (BigInt(data) >> BigInt((data.length - 2) * 4 - to)) & ones(to - from);

/** How many bits of a word this type uses, at its right or left end. */
const meaningful = ({ kind, value, bytes }: Node): readonly [number, number] => {
  const [from, to] = [bytes[0] * 8, bytes[1] * 8];
  if (kind === "address") return [to - 160, to];
  if (kind === "bool") return [to - 1, to];
  if (kind === "fixed") return [from, from + (String(value).length - 2) * 4];
  return [from, to];
};

const sizeOfInteger = (type: string): number => Number(/^u?int(\d+)/.exec(type)?.[1] ?? "256");

type Found = { readonly known: KnownFunction; readonly leaf: Leaf };

const functionOf = (protocols: Protocols, leaf: Leaf): KnownFunction | undefined =>
  protocols
    .functionsFor(leaf.data.slice(0, 10) as Hex)
    .find((known) => known.protocol === leaf.protocol && known.abi.name === leaf.function);

const typeAt = (known: KnownFunction, path: readonly string[]): string => {
  type Level = readonly { readonly name?: string; readonly type: string; readonly components?: Level }[];
  let level: Level = known.abi.inputs as Level;
  let type = "";
  for (const part of path) {
    const found = level.find(({ name }) => name === part);
    if (found === undefined) continue;
    ({ type } = found);
    level = found.components ?? [];
  }
  return type;
};

const BYTES_SAMPLED = 3;

/** Dynamic bytes are changed in their first, middle and last byte. */
const spots = (from: number, to: number): readonly (readonly [number, number])[] => {
  const length = (to - from) / 8;
  const at = [0, Math.floor(length / 2), length - 1].slice(0, Math.min(BYTES_SAMPLED, length));
  return [...new Set(at)].map((byte) => [from + byte * 8, from + byte * 8 + 8] as const);
};

const fieldsOfCall = ({ known, leaf }: Found, base: number): readonly Field[] => {
  const { uses } = known.fn;
  if (typeof uses === "string") return [];
  const walk = (nodes: readonly Node[], above: readonly string[]): readonly Field[] =>
    nodes.flatMap((node) => {
      const path = [...above, node.name];
      if (node.kind === "tuple" || node.kind === "array") return walk(node.children, path);
      const use = useAt(uses, path);
      if (use === null) return [];
      const argument = `${known.protocol}.${known.abi.name}(${path.join(".")})`;
      const isBytes = node.kind === "bytes" || node.kind === "string";
      const shared = { argument, use, isAddress: node.kind === "address", isBytes };
      const [from, to] = meaningful(node).map((bit) => bit + base * 8) as [number, number];
      if (isBytes) return spots(from, to).map(([a, b]) => ({ ...shared, from: a, to: b }));
      const bits =
        node.kind === "uint" || node.kind === "int" ? sizeOfInteger(typeAt(known, path)) : to - from;
      return node.kind === "uint" || node.kind === "int"
        ? [{ ...shared, from: to - bits, to }]
        : [{ ...shared, from, to }];
    });
  return walk(decode(known.plan, leaf.data, 4).nodes, []);
};

/** The function that an opened argument belongs to, for its name. */
const ownerOf = ({ leaves }: Reading, where: string): string => {
  const leaf = leaves.find((one) => one.where === where);
  return `${leaf?.protocol ?? ""}.${leaf?.function ?? ""}`;
};

const fieldsOfOpened = (reading: Reading): readonly Field[] =>
  (reading.opened ?? []).flatMap(({ where, at, base, leaves }) =>
    base === null || where.startsWith("proposed_tx.order")
      ? []
      : leaves.flatMap(({ path, use, bits, isAddress, value }) => {
          const isBytes = typeof value === "string" && !isAddress && (value.length - 2) * 4 !== 256;
          const argument = `${ownerOf(reading, where)}(${[...pathParts(at), path].join(".")})`;
          const shared = { argument, use, isAddress, isBytes };
          const [from, to] = [base + bits[0], base + bits[1]];
          if (to - from > 256) return spots(from, to).map(([a, b]) => ({ ...shared, from: a, to: b }));
          const start = isAddress ? to - 160 : typeof value === "boolean" ? to - 1 : from;
          return start >= to ? [] : [{ ...shared, from: start, to }];
        }),
  );

/** Opened bytes are changed inside, field by field; targets and values of calls are changed themselves. */
const isOpenedInside = ({ use, isBytes }: Field): boolean =>
  use.kind === "opened" && (use.as !== "calls" || isBytes);

const isWithin = (where: string, call: string): boolean => where === call || where.startsWith(`${call}/`);

/** A call that can never pass, whatever its arguments: it is unreadable, faulty, or runs unknown code. */
const isBlocked = ({ effects }: Reading, where: string): boolean =>
  effects.some(
    ({ act, terms, where: { call } }) =>
      (act === "opaque" || terms.delegatecall !== undefined || (terms.faults ?? []).length > 0) &&
      (isWithin(where, call) || isWithin(call, where)),
  );

const mutateBytes = (protocols: Protocols, proposal: Proposal, reading: Reading): readonly Mutation[] =>
  proposal.calls.flatMap((call, index) => {
    const inside = (where: string): boolean => isWithin(where, call.at) && !isBlocked(reading, where);
    const found = reading.leaves.flatMap((leaf) => {
      const known = inside(leaf.where) ? functionOf(protocols, leaf) : undefined;
      return known === undefined || leaf.place === null ? [] : [{ known, leaf }];
    });
    const fields = [
      ...found.flatMap((one) => fieldsOfCall(one, one.leaf.place?.[0] ?? 0)),
      ...fieldsOfOpened({ ...reading, opened: (reading.opened ?? []).filter(({ where }) => inside(where)) }),
    ];
    return fields
      .filter((field) => !isOpenedInside(field))
      .flatMap(({ argument, use, from, to, isAddress }) =>
        changesOf(readBits(call.data, from, to), to - from, isAddress).map((change) => ({
          argument,
          use,
          how: change.how,
          proposal: withCall(proposal, index, { data: overwrite(call.data, from, to, change.to) }),
        })),
      );
  });

const withCall = (
  proposal: Proposal,
  index: number,
  parts: { readonly data?: Hex; readonly value?: bigint },
): Proposal => ({
  ...proposal,
  calls: proposal.calls.map((call, i) => (i === index ? { ...call, ...parts } : call)),
});

const SOME_BYTES = `0x${"5a".repeat(36)}`;

/** Changes that move other bytes: lists shorter and longer by one, and bytes that were empty or end later. */
const reshape = (value: unknown): readonly { readonly how: string; readonly to: unknown }[] => {
  if (Array.isArray(value)) {
    const last: unknown = value.at(-1);
    return value.length === 0
      ? []
      : [
          { how: "one element less", to: value.slice(0, -1) },
          { how: "one element more", to: [...(value as unknown[]), last] },
        ];
  }
  return typeof value === "string" &&
    /^0x([0-9a-f]{2})*$/.test(value) &&
    value.length !== 42 &&
    value.length !== 66
    ? [{ how: value === "0x" ? "some bytes" : "more bytes", to: value + SOME_BYTES.slice(2) }]
    : [];
};

const mutateShapes = (protocols: Protocols, proposal: Proposal, reading: Reading): readonly Mutation[] =>
  proposal.calls.flatMap((call, index) => {
    const leaf = reading.leaves.find(({ where }) => where === call.at);
    const known = leaf === undefined ? undefined : functionOf(protocols, leaf);
    if (known === undefined || typeof known.fn.uses === "string" || isBlocked(reading, call.at)) return [];
    const { uses } = known.fn;
    const values = decode(known.plan, call.data, 4).values ?? [];
    return known.plan.members.flatMap(({ name, shape }, at) => {
      if (!["bytes", "array"].includes(shape.kind) || (shape.kind === "array" && shape.length !== null))
        return [];
      const use = useAt(uses, [name]) ?? { kind: "opened" as const, as: "calls" as const };
      return reshape(values[at]).map(({ how, to }) => ({
        argument: `${known.protocol}.${known.abi.name}(${name})`,
        use,
        how,
        proposal: withCall(proposal, index, {
          data: `${call.data.slice(0, 10)}${writeAbi(known.plan.members, values.with(at, to))}` as Hex,
        }),
      }));
    });
  });

const VALUE: Use = { kind: "feeds", slots: ["amount"], when: "the rest is not returned" };

/** Native value is an argument of every call, except one to the account itself. */
const mutateValue = (proposal: Proposal, reading: Reading): readonly Mutation[] =>
  proposal.calls.flatMap(({ at, to, value }, index) =>
    (to === proposal.actor || isBlocked(reading, at) ? [] : changesOf(value, 128, false)).map(
      ({ how, to: changed }) => ({
        argument: `${at}.value`,
        use: VALUE,
        how,
        proposal: withCall(proposal, index, { value: changed }),
      }),
    ),
  );

type Path = readonly string[];

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const membersOf = (
  value: unknown,
  above: Path,
): readonly { readonly path: Path; readonly value: unknown }[] => {
  if (Array.isArray(value)) return value.flatMap((item, i) => membersOf(item, [...above, String(i)]));
  if (isRecord(value))
    return Object.entries(value).flatMap(([key, item]) => membersOf(item, [...above, key]));
  return [{ path: above, value }];
};

const replaceAt = (value: unknown, [first, ...rest]: Path, to: unknown): unknown => {
  if (first === undefined) return to;
  if (Array.isArray(value)) return value.with(Number(first), replaceAt(value[Number(first)], rest, to));
  return isRecord(value) ? { ...value, [first]: replaceAt(value[first], rest, to) } : value;
};

const otherMembers = (value: unknown): readonly { readonly how: string; readonly to: unknown }[] => {
  if (typeof value === "boolean") return [{ how: "flipped", to: !value }];
  const text = String(value);
  if (/^0x[0-9a-fA-F]{40}$/.test(text))
    return changesOf(BigInt(text), 160, true).map(({ how, to }) => ({
      how,
      to: `0x${to.toString(16).padStart(40, "0")}`,
    }));
  if (/^0x([0-9a-fA-F]{2})+$/.test(text))
    return [{ how: "last digit", to: text.replace(/.$/, (digit) => (digit === "0" ? "1" : "0")) }];
  if (text === "0x") return [{ how: "some bytes", to: SOME_BYTES }];
  if (/^\d+$/.test(text))
    return changesOf(BigInt(text), 255, false)
      .filter(({ how }) => how !== "highest bit" && how !== "lowest bit")
      .map(({ how, to }) => ({ how, to: to.toString() }));
  return [{ how: "other text", to: `${text}x` }];
};

const mutateMessage = (protocols: Protocols, proposal: Proposal, reading: Reading): readonly Mutation[] => {
  const { typedData } = proposal;
  if (typedData === null) return [];
  const protocol = reading.effects[0]?.protocol;
  const described = protocols
    .typedDataFor(typedData.primaryType)
    .find(
      (known) => known.protocol === protocol && known.data.members.every((one) => one in typedData.message),
    );
  const uses = described?.data.uses;
  if (uses === undefined) return [];
  return membersOf(typedData.message, []).flatMap(({ path, value }) => {
    const use = useAt(uses, path);
    if (use === null || use.kind === "opened") return [];
    return otherMembers(value).map(({ how, to }) => ({
      argument: `${protocol}.${typedData.primaryType}(${path.join(".")})`,
      use,
      how,
      proposal: {
        ...proposal,
        typedData: { ...typedData, message: replaceAt(typedData.message, path, to) as TypedData["message"] },
      },
    }));
  });
};

/** Changes every argument of one sample. */
export function mutateSample(protocols: Protocols, sample: Sample): readonly Mutated[] {
  const registry = smallRegistry();
  const proposal = proposalOf(sample);
  const read = (one: Proposal): Reading => readBytes(one, { registry, protocols });
  const reading = read(proposal);
  const before = signatureOf(reading);
  const mutations = [
    ...mutateBytes(protocols, proposal, reading),
    ...mutateShapes(protocols, proposal, reading),
    ...mutateValue(proposal, reading),
    ...mutateMessage(protocols, proposal, reading),
  ];
  return mutations.map(({ argument, use, how, proposal: changed }) => ({
    sample: sample.name,
    argument,
    use,
    how,
    noticed: signatureOf(read(changed)) !== before,
  }));
}

/** A bound is noticed only if it is broken, and a conditional argument only if its condition holds. */
const mayGoUnnoticed = (use: Use): boolean =>
  use.kind === "compared" || (use.kind === "feeds" && use.when !== undefined);

const withoutIndexes = (argument: string): string => argument.replace(/\.\d+(?=[.)]|$)/g, "[]");

/** The changes that should have had an effect, over all samples of a protocol. */
export function findUnnoticed(all: readonly Mutated[]): readonly Mutated[] {
  const noticed = new Set(all.filter((one) => one.noticed).map(({ argument }) => withoutIndexes(argument)));
  return all.filter(
    ({ argument, use, noticed: isNoticed }) =>
      !isNoticed && use.kind !== "inert" && !(mayGoUnnoticed(use) && noticed.has(withoutIndexes(argument))),
  );
}
