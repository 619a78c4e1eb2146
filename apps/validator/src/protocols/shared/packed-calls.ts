/** MultiSend's own encoding: operation (1), address (20), value (32), length (32) and bytes, repeated without padding. */
import type { Address, Hex } from "../../proposal.ts";
import {
  compared,
  feeds,
  feedsWhen,
  openedAsCalls,
  type OpenedLeaf,
  type Opening,
  type Use,
} from "../../uses.ts";

export type PackedCall = {
  readonly operation: number;
  readonly to: Address;
  readonly value: bigint;
  readonly data: Hex;
};

const HEAD_BYTES = 1 + 20 + 32 + 32;

const uses = {
  operation: feeds.act,
  to: openedAsCalls,
  value: feedsWhen("amount", "it is a call to another account"),
  length: compared("equal", "the number of bytes that follow"),
  data: openedAsCalls,
} as const satisfies Readonly<Record<string, Use>>;

type Cut = { readonly name: keyof typeof uses; readonly from: number; readonly to: number };

/** The places of the fields of the record that begins at this byte. */
const cutsAt = (at: number, end: number): readonly Cut[] => [
  { name: "operation", from: at, to: at + 1 },
  { name: "to", from: at + 1, to: at + 21 },
  { name: "value", from: at + 21, to: at + 53 },
  { name: "length", from: at + 53, to: at + HEAD_BYTES },
  { name: "data", from: at + HEAD_BYTES, to: end },
];

/** Throws if the records do not end exactly with the bytes: the contract may still run what a lenient reader skips. */
export const packedCalls: Opening<readonly PackedCall[]> = {
  name: "uint8 operation, address to, uint256 value, uint256 length, bytes data, repeated without padding",
  fields: Object.entries(uses).map(([path, use]) => ({ path: `[].${path}`, type: "packed", use })),
  read: (blob) => {
    const hex = blob.slice(2);
    const length = hex.length / 2;
    const leaves: OpenedLeaf[] = [];
    const calls: PackedCall[] = [];
    const slice = (from: number, to: number): Hex => `0x${hex.slice(from * 2, to * 2)}`;
    for (let at = 0; at < length;) {
      if (at + HEAD_BYTES > length) throw new Error("the last record is cut short");
      const size = BigInt(slice(at + 53, at + HEAD_BYTES));
      if (size > BigInt(length - at - HEAD_BYTES))
        throw new Error("a record declares more bytes than follow");
      const end = at + HEAD_BYTES + Number(size);
      for (const { name, from, to } of cutsAt(at, end)) {
        const value = slice(from, to);
        const path = `${calls.length}.${name}`;
        leaves.push({ path, value, isAddress: name === "to", use: uses[name], bits: [from * 8, to * 8] });
      }
      calls.push({
        operation: Number(slice(at, at + 1)),
        to: slice(at + 1, at + 21),
        value: BigInt(slice(at + 21, at + 53)),
        data: slice(at + HEAD_BYTES, end),
      });
      at = end;
    }
    if (calls.length === 0) throw new Error("there are no records");
    return { values: calls, leaves: () => leaves };
  },
};
