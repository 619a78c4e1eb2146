// Builds the state of a chain with another implementation of tries, and a witness of it.
import { createMerkleProof, createMPT, type MerklePatriciaTrie } from "@ethereumjs/mpt";
import { bytesToHex, concatHex, hexToBytes, keccak256, toRlp } from "viem/utils";
import type { Hex } from "@countersign/wire";
import { emptyRoot, noCode, quantity, word } from "../src/hex.ts";
import type { Call, FollowingCall, Hardfork, Witness, WitnessAccount } from "../src/witness.ts";

export type TestAccount = {
  readonly balance?: bigint;
  readonly nonce?: bigint;
  readonly code?: Hex;
  readonly storage?: Readonly<Record<Hex, bigint>>;
};

export const from: Hex = `0x${"aa".repeat(20)}`;
export const to: Hex = `0x${"bb".repeat(20)}`;
export const coinbase: Hex = `0x${"cb".repeat(20)}`;
export const gwei = 10n ** 9n;

const rlpQuantity = (value: bigint): Hex => {
  if (value === 0n) return "0x";
  const digits = value.toString(16);
  return `0x${digits.length % 2 === 1 ? "0" : ""}${digits}`;
};

type HeaderParts = {
  readonly stateRoot: Hex;
  readonly parentHash?: Hex;
  readonly number?: bigint;
  readonly hardfork?: Hardfork;
};

export function encodeHeader({ stateRoot, parentHash, number = 24_000_000n, hardfork }: HeaderParts): Hex {
  const zero = word(0n);
  return toRlp([
    ...[parentHash ?? keccak256("0x01"), keccak256("0xc0"), coinbase, stateRoot, emptyRoot, emptyRoot],
    ...[concatHex(Array.from({ length: 8 }, () => zero)), "0x" as const, rlpQuantity(number)],
    ...[rlpQuantity(60_000_000n), rlpQuantity(30_000_000n), rlpQuantity(1_790_000_000n), "0x" as const],
    ...[keccak256("0x02"), "0x0000000000000000" as const, rlpQuantity(8n * gwei), emptyRoot],
    ...["0x" as const, "0x" as const, zero],
    ...(hardfork === "cancun" ? [] : [keccak256("0x")]),
  ]);
}

async function trieOf(entries: readonly (readonly [Hex, Hex])[]): Promise<MerklePatriciaTrie> {
  const trie = await createMPT({ useKeyHashing: true });
  for (const [key, value] of entries) await trie.put(hexToBytes(key), hexToBytes(value));
  return trie;
}

const proofOf = async (trie: MerklePatriciaTrie, key: Hex): Promise<readonly Hex[]> =>
  (await createMerkleProof(trie, hexToBytes(key))).map((node) => bytesToHex(node));

type Options = {
  readonly accounts: Readonly<Record<Hex, TestAccount>>;
  readonly call?: Partial<Call>;
  readonly following?: readonly FollowingCall[] | undefined;
  readonly signer?: Hex | undefined;
  readonly hardfork?: Hardfork;
  /** Listed in the witness and not in the state. */
  readonly absent?: readonly Hex[];
  /** By address: slots that are listed and empty. */
  readonly emptySlots?: Readonly<Record<Hex, readonly Hex[]>>;
  readonly names?: readonly string[] | undefined;
};

type Built = { readonly leaf: Hex; readonly account: WitnessAccount; readonly nodes: readonly Hex[] };

async function buildAccount(given: TestAccount, empty: readonly Hex[]): Promise<Built> {
  const { balance = 0n, nonce = 0n, code = "0x", storage = {} } = given;
  const slots = Object.entries(storage) as [Hex, bigint][];
  const trie = await trieOf(slots.map(([slot, value]) => [slot, toRlp(rlpQuantity(value))]));
  const all = [...slots, ...empty.map((slot): [Hex, bigint] => [slot, 0n])];
  const nodes: Hex[] = [];
  for (const [slot] of all) nodes.push(...(await proofOf(trie, slot)));
  const codeHash = code === "0x" ? noCode : keccak256(code);
  const listed = Object.fromEntries(all.map(([slot, value]) => [slot, quantity(value)]));
  return {
    leaf: toRlp([rlpQuantity(nonce), rlpQuantity(balance), bytesToHex(trie.root()), codeHash]),
    account: { balance: quantity(balance), nonce: quantity(nonce), codeHash, storage: listed },
    nodes,
  };
}

/** A witness has no members that are undefined. */
const optionalOf = ({
  names,
  following,
  signer,
}: Options): Pick<Witness, "names" | "following" | "signer"> => ({
  ...(names === undefined ? {} : { names }),
  ...(following === undefined ? {} : { following }),
  ...(signer === undefined ? {} : { signer }),
});

/** The proven witness of all these accounts. */
export async function buildWitness(options: Options): Promise<Witness> {
  const { accounts: given, call, hardfork = "osaka" } = options;
  const { absent = [], emptySlots = {} } = options;
  const nodes = new Set<Hex>();
  const accounts: Record<Hex, WitnessAccount> = {};
  const leaves: [Hex, Hex][] = [];
  for (const [address, one] of Object.entries(given) as [Hex, TestAccount][]) {
    const built = await buildAccount(one, emptySlots[address] ?? []);
    accounts[address] = built.account;
    leaves.push([address, built.leaf]);
    for (const node of built.nodes) nodes.add(node);
  }
  const state = await trieOf(leaves);
  for (const address of absent)
    accounts[address] = { balance: "0x0", nonce: "0x0", codeHash: noCode, storage: {} };
  for (const address of Object.keys(accounts) as Hex[])
    for (const node of await proofOf(state, address)) nodes.add(node);
  const header = encodeHeader({ stateRoot: bytesToHex(state.root()), hardfork });
  const codes = Object.values(given).flatMap(({ code }) => (code === undefined ? [] : [code]));
  return {
    ...{ version: 1, chainId: "0x1", hardfork, blockHash: keccak256(header), headers: [header] },
    call: {
      ...{ from, to, value: "0x0", data: "0x", gas: quantity(500_000) },
      ...{ maxFeePerGas: quantity(20n * gwei), maxPriorityFeePerGas: quantity(gwei) },
      ...call,
    },
    accounts,
    codes: Object.fromEntries(codes.filter((code) => code !== "0x").map((code) => [keccak256(code), code])),
    nodes: [...nodes].sort(),
    ...optionalOf(options),
  };
}
