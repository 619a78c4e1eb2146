// Merkle Patricia proofs: trie nodes by their hash, walked from a root. A node that was changed has another hash and is
// not found.
import { fromRlp, keccak256 } from "viem/utils";
import type { Hex } from "@countersign/wire";
import { emptyRoot, noCode, quantity } from "../hex.ts";
import { Unproven } from "./unproven.ts";

type Item = Hex | readonly Item[];

type ProvenAccount = {
  readonly nonce: Hex;
  readonly balance: Hex;
  readonly storageRoot: Hex;
  readonly codeHash: Hex;
};

export type Trie = {
  /** Returns the value under keccak256 of the key, or null if the trie has none. Throws Unproven if a node is missing. */
  readonly find: (root: Hex, key: Hex) => Hex | null;
  readonly readAccount: (stateRoot: Hex, address: Hex) => ProvenAccount;
  readonly readSlot: (storageRoot: Hex, slot: Hex) => Hex;
};

const emptyAccount: ProvenAccount = {
  ...{ nonce: "0x0", balance: "0x0" },
  ...{ storageRoot: emptyRoot, codeHash: noCode },
};

/** Decodes RLP. Throws Unproven for anything else, because nodes come from outside. */
export function decodeRlp(encoded: Hex, what: string): Item {
  try {
    return fromRlp(encoded, "hex");
  } catch {
    throw new Unproven(`${what} is not RLP`);
  }
}

export function makeTrie(nodes: readonly Hex[]): Trie {
  const encoded = new Map(nodes.map((node) => [keccak256(node), node]));
  const decoded = new Map<Hex, Item>();
  const resolve = (reference: Item): Item => {
    // Nodes shorter than 32 bytes are part of their parent.
    if (typeof reference !== "string") return reference;
    const known = decoded.get(reference);
    if (known !== undefined) return known;
    const node = encoded.get(reference);
    if (node === undefined) throw new Unproven(`trie node ${reference} is missing`);
    const item = decodeRlp(node, `trie node ${reference}`);
    decoded.set(reference, item);
    return item;
  };
  const find = (root: Hex, key: Hex): Hex | null =>
    root === emptyRoot ? null : walk(resolve, resolve(root), keccak256(key).slice(2));
  return {
    find,
    readAccount: (stateRoot, address) => {
      const value = find(stateRoot, address);
      return value === null ? emptyAccount : readAccount(value, address);
    },
    readSlot: (storageRoot, slot) => {
      const value = find(storageRoot, slot);
      return value === null ? "0x0" : readQuantity(decodeRlp(value, `slot ${slot}`), `slot ${slot}`);
    },
  };
}

function walk(resolve: (reference: Item) => Item, root: Item, path: string): Hex | null {
  let [node, depth] = [root, 0];
  for (;;) {
    if (typeof node === "string") throw new Unproven("a trie node is not a list");
    if (node.length === 17) {
      const next = node[Number.parseInt(path.charAt(depth), 16)];
      // A path of 64 nibbles never ends in a branch.
      if (next === undefined) throw new Unproven("a trie node is too deep");
      if (next === "0x") return null;
      [node, depth] = [resolve(next), depth + 1];
      continue;
    }
    const { nibbles, isLeaf, rest } = readShortNode(node);
    if (!path.startsWith(nibbles, depth)) return null;
    depth += nibbles.length;
    if (isLeaf) return depth === path.length ? readBytes(rest) : null;
    node = resolve(rest);
  }
}

function readShortNode(node: readonly Item[]): {
  readonly nibbles: string;
  readonly isLeaf: boolean;
  readonly rest: Item;
} {
  const [head, rest, ...more] = node;
  if (typeof head !== "string" || rest === undefined || more.length > 0 || !/^0x[0-3]/.test(head))
    throw new Unproven("a trie node is neither a branch nor a leaf nor an extension");
  const flag = Number.parseInt(head.charAt(2), 16);
  return { nibbles: head.slice(flag % 2 === 1 ? 3 : 4), isLeaf: flag >= 2, rest };
}

function readBytes(item: Item): Hex {
  if (typeof item !== "string") throw new Unproven("the value of a leaf is not a byte string");
  return item;
}

function readAccount(value: Hex, address: Hex): ProvenAccount {
  const fields = decodeRlp(value, `account ${address}`);
  const [nonce, balance, storageRoot, codeHash] = typeof fields === "string" ? [] : fields;
  if (nonce === undefined || balance === undefined || !isHash(storageRoot) || !isHash(codeHash))
    throw new Unproven(`account ${address} cannot be read`);
  const what = `account ${address}`;
  return { nonce: readQuantity(nonce, what), balance: readQuantity(balance, what), storageRoot, codeHash };
}

const isHash = (item: Item | undefined): item is Hex => typeof item === "string" && item.length === 66;

function readQuantity(item: Item, what: string): Hex {
  if (typeof item !== "string" || item.length > 66) throw new Unproven(`${what} is not a number`);
  return quantity(item === "0x" ? 0n : BigInt(item));
}
