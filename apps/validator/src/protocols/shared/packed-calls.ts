/** MultiSend's own encoding: operation (1), address (20), value (32), length (32), bytes, again and again, nothing between. */
import type { Address, Hex } from "../../proposal.ts";

type PackedCall = {
  readonly operation: number;
  readonly to: Address;
  readonly value: bigint;
  readonly data: Hex;
  /** Where `data` stands in the whole. */
  readonly bytes: readonly [number, number];
};

const HEAD = (1 + 20 + 32 + 32) * 2;

/** Throws where the records do not end exactly with the bytes: what a lenient reader skips, the contract may still run. */
export const readPackedCalls = (blob: Hex): readonly PackedCall[] => {
  const hex = blob.slice(2);
  const calls: PackedCall[] = [];
  let at = 0;
  while (at < hex.length) {
    if (at + HEAD > hex.length) throw new Error("the last record is cut short");
    const word = (from: number, chars: number): string => hex.slice(at + from, at + from + chars);
    const length = BigInt(`0x${word(106, 64)}`);
    if (length > BigInt(hex.length)) throw new Error("a record announces more bytes than there are");
    const end = at + HEAD + Number(length) * 2;
    if (end > hex.length) throw new Error("a record announces more bytes than there are");
    calls.push({
      operation: Number.parseInt(word(0, 2), 16),
      to: `0x${word(2, 40)}`,
      value: BigInt(`0x${word(42, 64)}`),
      data: `0x${hex.slice(at + HEAD, end)}`,
      bytes: [(at + HEAD) / 2, end / 2],
    });
    at = end;
  }
  if (calls.length === 0) throw new Error("there are no records");
  return calls;
};
