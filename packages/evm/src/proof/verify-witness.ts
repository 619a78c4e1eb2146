import { keccak256 } from "viem/utils";
import type { Hex } from "@countersign/wire";
import { emptyRoot, noCode } from "../hex.ts";
import { readWitness, type Witness, type WitnessAccount } from "../witness.ts";
import { readAncestry, type Header } from "./header.ts";
import { makeTrie, type Trie } from "./trie.ts";
import { Unproven } from "./unproven.ts";

/** A witness whose accounts, slots, codes and block hashes follow from the hash of its block. */
export type ProvenWitness = {
  readonly witness: Witness;
  /** The proven block. */
  readonly header: Header;
  /** By block number. */
  readonly blockHashes: ReadonlyMap<bigint, Hex>;
  /** By address: an account without a storage root has no storage. */
  readonly storageRoots: ReadonlyMap<Hex, Hex>;
};

/**
 * Returns the witness as proven. Throws Unproven unless everything in it follows from `blockHash`. Whether that block belongs to
 * the chain must be decided elsewhere, by nodes that agree or by a light client.
 */
export function verifyWitness(given: unknown): ProvenWitness {
  const witness = readWitness(given);
  if (witness === undefined) throw new Unproven("the witness is malformed or too large");
  const { header, hashes } = readAncestry(witness);
  const trie = makeTrie(witness.nodes);
  for (const [hash, code] of Object.entries(witness.codes))
    if (keccak256(code) !== hash) throw new Unproven(`code ${hash} has another hash`);
  const storageRoots = new Map<Hex, Hex>();
  for (const [address, account] of Object.entries(witness.accounts) as [Hex, WitnessAccount][]) {
    if (account.codeHash !== noCode && witness.codes[account.codeHash] === undefined)
      throw new Unproven(`the code of ${address} is missing`);
    storageRoots.set(address, verifyAccount(trie, { address, account, stateRoot: header.stateRoot }));
  }
  return { witness, header, blockHashes: hashes, storageRoots };
}

type Claim = { readonly address: Hex; readonly account: WitnessAccount; readonly stateRoot: Hex };

function verifyAccount(trie: Trie, { address, account, stateRoot }: Claim): Hex {
  const proven = trie.readAccount(stateRoot, address);
  for (const member of ["nonce", "balance", "codeHash"] as const)
    if (proven[member] !== account[member]) throw new Unproven(`the ${member} of ${address} is not proven`);
  const slots = Object.entries(account.storage) as [Hex, Hex][];
  for (const [slot, value] of slots)
    if (
      proven.storageRoot === emptyRoot ? value !== "0x0" : trie.readSlot(proven.storageRoot, slot) !== value
    )
      throw new Unproven(`slot ${slot} of ${address} is not proven`);
  return proven.storageRoot;
}
