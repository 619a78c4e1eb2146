// Block headers, from their RLP alone. A header's hash is its block's hash, so a changed header is another block's.
import { keccak256 } from "viem/utils";
import type { Hex } from "@countersign/wire";
import type { Hardfork, Witness } from "../witness.ts";
import { decodeRlp } from "./trie.ts";
import { Unproven } from "./unproven.ts";

export type Header = {
  readonly hash: Hex;
  readonly parentHash: Hex;
  readonly coinbase: Hex;
  readonly stateRoot: Hex;
  readonly number: bigint;
  readonly gasLimit: bigint;
  readonly gasUsed: bigint;
  readonly timestamp: bigint;
  readonly baseFeePerGas: bigint;
  readonly excessBlobGas: bigint;
};

/** Since Cancun a header has 20 fields, since Prague 21. */
const fieldsOf: Readonly<Record<Hardfork, number>> = { cancun: 20, prague: 21, osaka: 21 };

/** Throws Unproven unless it is a header of that hardfork. */
export function readHeader(encoded: Hex, hardfork: Hardfork): Header {
  const fields = decodeRlp(encoded, "a header");
  if (typeof fields === "string" || fields.length !== fieldsOf[hardfork])
    throw new Unproven(`a header is not of ${hardfork}`);
  const bytesAt = (index: number, length: number): Hex => {
    const field = fields[index];
    if (typeof field !== "string" || field.length !== 2 + 2 * length)
      throw new Unproven(`field ${index} of a header cannot be read`);
    return field;
  };
  const numberAt = (index: number): bigint => {
    const field = fields[index];
    if (typeof field !== "string" || field.length > 66)
      throw new Unproven(`field ${index} of a header is not a number`);
    return field === "0x" ? 0n : BigInt(field);
  };
  return {
    hash: keccak256(encoded),
    parentHash: bytesAt(0, 32),
    coinbase: bytesAt(2, 20),
    stateRoot: bytesAt(3, 32),
    number: numberAt(8),
    gasLimit: numberAt(9),
    gasUsed: numberAt(10),
    timestamp: numberAt(11),
    baseFeePerGas: numberAt(15),
    excessBlobGas: numberAt(18),
  };
}

export type Ancestry = { readonly header: Header; readonly hashes: ReadonlyMap<bigint, Hex> };

/** Returns the proven block's header, and the hashes of its ancestors by number. Throws Unproven if the chain breaks. */
export function readAncestry({ headers, blockHash, hardfork }: Witness): Ancestry {
  const hashes = new Map<bigint, Hex>();
  let newest: Header | undefined;
  let expected = { hash: blockHash, number: undefined as bigint | undefined };
  for (const encoded of headers) {
    const header = readHeader(encoded, hardfork);
    if (header.hash !== expected.hash) throw new Unproven(`a header is not that of block ${expected.hash}`);
    if (expected.number !== undefined && header.number !== expected.number)
      throw new Unproven(`block ${header.hash} has another number than its child says`);
    hashes.set(header.number, header.hash);
    // The parent's hash is part of the proven header, with or without the parent's own header.
    hashes.set(header.number - 1n, header.parentHash);
    newest ??= header;
    expected = { hash: header.parentHash, number: header.number - 1n };
  }
  if (newest === undefined) throw new Unproven("there is no header");
  return { header: newest, hashes };
}
