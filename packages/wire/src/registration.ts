// The public trace of proposals. Those of a moment are the leaves of one Merkle tree, and the Inbox contract records its root.
// Leaves and nodes are hashed as OpenZeppelin's MerkleProof expects.
import type { Hex } from "viem";
import { bytesToHex, hexToBytes } from "viem/utils";
import { keccak } from "#keccak";

/** A proposal, and the sha2-256 digest of its encrypted payload. */
export type Registered = { readonly requestHash: Hex; readonly contentDigest: Hex };

/** Proposals for one verification service, in the order of their leaves. Never empty. */
export type Registrations = { readonly inbox: Hex; readonly entries: readonly Registered[] };

const word = (hex: Hex, digits: 40 | 64): Uint8Array => {
  if (!/^0x[0-9a-fA-F]*$/.test(hex) || hex.length !== digits + 2)
    throw new RangeError(`The value does not have ${digits / 2} bytes.`);
  return hexToBytes(`0x${hex.slice(2).padStart(64, "0")}`);
};

function join(...parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(32 * parts.length);
  for (const [index, part] of parts.entries()) joined.set(part, 32 * index);
  return joined;
}

/** Hashed twice, so that no leaf is the pair of two nodes. */
const leafOf = (inbox: Hex, { requestHash, contentDigest }: Registered): Uint8Array =>
  keccak(keccak(join(word(requestHash, 64), word(contentDigest, 64), word(inbox, 40))));

function isBefore(one: Uint8Array, other: Uint8Array): boolean {
  const index = one.findIndex((byte, at) => byte !== other[at]);
  return index !== -1 && (one[index] ?? 0) < (other[index] ?? 0);
}

/** Of either order, so that a proof needs no positions. */
const pair = (one: Uint8Array, other: Uint8Array): Uint8Array =>
  keccak(isBefore(one, other) ? join(one, other) : join(other, one));

/** The nodes above: of an odd number the last one moves up unchanged. */
function above(nodes: readonly Uint8Array[]): readonly Uint8Array[] {
  const parents: Uint8Array[] = [];
  for (let index = 0; index < nodes.length; index += 2) {
    const [one, other] = nodes.slice(index, index + 2);
    if (one !== undefined) parents.push(other === undefined ? one : pair(one, other));
  }
  return parents;
}

/** All levels of the tree, the leaves first. */
function levelsOf({ inbox, entries }: Registrations): readonly (readonly Uint8Array[])[] {
  if (entries.length === 0) throw new RangeError("A tree has at least one leaf.");
  const levels = [entries.map((entry) => leafOf(inbox, entry))];
  for (let top = levels[0] ?? []; top.length > 1; top = levels.at(-1) ?? []) levels.push([...above(top)]);
  return levels;
}

/** Returns the root that the Inbox contract records. Throws if there are no entries, or for malformed values. */
export const registrationRoot = (registrations: Registrations): Hex =>
  bytesToHex(levelsOf(registrations).at(-1)?.[0] ?? new Uint8Array());

/** Returns what leads from an entry to the root: for `registrationRootFrom`, or MerkleProof in a contract. Undefined if it is not among the entries. */
export function registrationProof(
  registrations: Registrations,
  requestHash: Hex,
): readonly Hex[] | undefined {
  let index = registrations.entries.findIndex((entry) => entry.requestHash === requestHash);
  if (index === -1) return undefined;
  const proof: Hex[] = [];
  for (const level of levelsOf(registrations)) {
    const sibling = level[index ^ 1];
    if (sibling !== undefined) proof.push(bytesToHex(sibling));
    index >>= 1;
  }
  return proof;
}

/** Returns the root that the proof leads to. The entry is registered if the Inbox contract has recorded that root. */
export function registrationRootFrom(inbox: Hex, entry: Registered, proof: readonly Hex[]): Hex {
  const root = proof.reduce<Uint8Array>(
    (node, sibling) => pair(node, word(sibling, 64)),
    leafOf(inbox, entry),
  );
  return bytesToHex(root);
}
