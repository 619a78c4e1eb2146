// Names of the Ethereum Name Service, resolved on the proven state alone. A name counts only if its registration is valid and one of
// the service's own public resolvers answers from its storage. Everything else has no address: a contract of the name's owner could
// answer each caller differently, and answers from outside the chain cannot be proven.
import { concatHex, encodeFunctionData, keccak256, parseAbi, stringToBytes } from "viem/utils";
import type { Hex } from "@countersign/wire";
import type { Machine } from "../engine/machine.ts";
import { addressIn, zeroAddress, zeroHash } from "../hex.ts";

export type ResolvedName =
  | { readonly name: string; readonly address: Hex; readonly resolver: Hex }
  /** `why` continues a sentence that begins with the name. */
  | { readonly name: string; readonly address: null; readonly why: string };

const registry: Hex = "0x00000000000c2e074ec69a0dfb2997ba6c7d2e1e";
/** Keeps the expiry of each name directly under .eth. */
const registrar: Hex = "0x57f1887a8bf19b14fc0df6fd9b2acc9af147ea85";
/** Owns names that are kept as ERC-1155 tokens. It has no owner for one that has expired. */
const wrapper: Hex = "0xd4416b13d2b3a9abae7acd5d6c2bbdbe25686401";
/** The service's public resolvers, newest first. Their answers are values in storage that the owner of the name has set. */
const publicResolvers: readonly Hex[] = [
  "0xf29100983e058b709f3d539b0c765937b804ac15",
  "0x231b0ee14048e9dccd1d247744d114a4eb5e8e63",
  "0x4976fb03c32e5b8cfe2b6ccb31c09ba78ebaba41",
];
const ethereum = 1n;

const abi = parseAbi([
  "function resolver(bytes32 node) view returns (address)",
  "function owner(bytes32 node) view returns (address)",
  "function nameExpires(uint256 id) view returns (uint256)",
  "function ownerOf(uint256 id) view returns (address)",
  "function addr(bytes32 node) view returns (address)",
]);

type Read = { readonly to: Hex; readonly data: Hex };

const hashLabel = (label: string): Hex => keccak256(stringToBytes(label));

/** ENSIP-1. */
const hashName = (labels: readonly string[]): Hex =>
  labels.reduceRight<Hex>((node, label) => keccak256(concatHex([node, hashLabel(label)])), zeroHash);

const readsOf = (labels: readonly string[]) => {
  const node = hashName(labels);
  const call = (to: Hex, functionName: "resolver" | "owner" | "addr"): Read => ({
    to,
    data: encodeFunctionData({ abi, functionName, args: [node] }),
  });
  return {
    resolver: call(registry, "resolver"),
    owner: call(registry, "owner"),
    wrapped: {
      to: wrapper,
      data: encodeFunctionData({ abi, functionName: "ownerOf", args: [BigInt(node)] }),
    },
    expiry: {
      to: registrar,
      data: encodeFunctionData({
        ...{ abi, functionName: "nameExpires" },
        args: [BigInt(hashLabel(labels.at(-2) ?? ""))],
      }),
    },
    address: (resolver: Hex) => call(resolver, "addr"),
  };
};

/** Only names under .eth have an expiry on the chain. */
const labelsOf = (name: string): readonly string[] | null => {
  const labels = name.split(".");
  return labels.length >= 2 && labels.at(-1) === "eth" && labels.every((label) => label !== "")
    ? labels
    : null;
};

/** Returns the calls that every name is resolved with, so that a capture can ask for their state in advance. */
export function listNameReads(chainId: bigint, names: readonly string[]): readonly Read[] {
  if (chainId !== ethereum) return [];
  return names.flatMap((name) => {
    const labels = labelsOf(name);
    if (labels === null) return [];
    const { resolver, owner, expiry } = readsOf(labels);
    return [resolver, owner, expiry];
  });
}

type Asked = {
  readonly chainId: bigint;
  readonly names: readonly string[];
  /** Of the block, in Unix seconds. */
  readonly now: bigint;
};

/** Resolves each name, in their order. The names must be normalised (ENSIP-15): others are hashed as they are. */
export async function resolveNames(
  views: Pick<Machine, "view">,
  { chainId, names, now }: Asked,
): Promise<readonly ResolvedName[]> {
  const resolved: ResolvedName[] = [];
  for (const name of names) {
    const found =
      chainId === ethereum
        ? await resolve(views, name, now)
        : "is resolved on Ethereum only, which this state is not of";
    resolved.push(typeof found === "string" ? { name, address: null, why: found } : { name, ...found });
  }
  return resolved;
}

async function resolve(
  { view }: Pick<Machine, "view">,
  name: string,
  now: bigint,
): Promise<{ readonly address: Hex; readonly resolver: Hex } | string> {
  const labels = labelsOf(name);
  if (labels === null) return "is not a name under .eth";
  const reads = readsOf(labels);
  const ask = async ({ to, data }: Read): Promise<Hex | undefined> => {
    const answer = await view(to, data);
    return answer?.length === 66 ? answer : undefined;
  };
  const askAddress = async (read: Read): Promise<Hex> => addressIn((await ask(read)) ?? zeroAddress);
  if (BigInt((await ask(reads.expiry)) ?? zeroHash) <= now)
    return "is not registered, or its registration has expired";
  const owner = await askAddress(reads.owner);
  if (owner === zeroAddress) return "has no owner";
  if (owner === wrapper && (await askAddress(reads.wrapped)) === zeroAddress) return "has expired";
  const resolver = await askAddress(reads.resolver);
  if (resolver === zeroAddress) return "has no resolver of its own";
  if (!publicResolvers.includes(resolver))
    return `has the resolver ${resolver}, which is not a public resolver of the name service`;
  const address = await askAddress(reads.address(resolver));
  return address === zeroAddress ? "has no address" : { address, resolver };
}
