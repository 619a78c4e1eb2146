/** Answers every query of the engine and of the request reader about protocols, from tables built once. */
import type { AbiFunction } from "abitype";
import { toFunctionSelector } from "viem/utils";
import { planFor, type Plan } from "../../bytes/decode.ts";
import type { Address, Hex } from "../../proposal.ts";
import type { Protocol, ProtocolFunction, ProtocolTypedData } from "../../protocol.ts";
import { makeNames, type Names } from "./name-protocols.ts";

export type KnownFunction = {
  readonly protocol: string;
  readonly fn: ProtocolFunction;
  readonly abi: AbiFunction;
  readonly plan: Plan;
};
export type KnownTypedData = { readonly protocol: string; readonly data: ProtocolTypedData };
type Claim = { readonly protocol: string; readonly role: string };

export type Protocols = Names & {
  readonly all: ReadonlyMap<string, Protocol>;
  /** The protocol whose contract is at an address, and its role. */
  readonly at: (chain: number, address: Address) => readonly Claim[];
  readonly functionsFor: (selector: Hex) => readonly KnownFunction[];
  readonly typedDataFor: (primaryType: string) => readonly KnownTypedData[];
};

const nothing: readonly never[] = [];

const push = <K, V>(map: Map<K, V[]>, key: K, value: V): void => {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
};

const indexFunctions = (all: ReadonlyMap<string, Protocol>): Map<Hex, KnownFunction[]> => {
  const index = new Map<Hex, KnownFunction[]>();
  for (const [protocol, { functions }] of all) {
    for (const fn of functions) {
      const { abi } = fn;
      push(index, toFunctionSelector(abi), { protocol, fn, abi, plan: planFor(abi.inputs) });
    }
  }
  return index;
};

const claimsOf = (protocol: string, { contracts }: Protocol): readonly (readonly [string, Claim])[] =>
  Object.entries(contracts).flatMap(([role, chains]) =>
    Object.entries(chains).flatMap(([chain, at]) =>
      [at].flat().map((address) => [`${chain}:${address}`, { protocol, role }] as const),
    ),
  );

const indexContracts = (all: ReadonlyMap<string, Protocol>): Map<string, Claim[]> => {
  const index = new Map<string, Claim[]>();
  for (const [id, protocol] of all)
    for (const [place, claim] of claimsOf(id, protocol)) push(index, place, claim);
  return index;
};

/** Two protocols that claim one contract in the same role cannot both be right. */
const checkClaims = (index: ReadonlyMap<string, readonly Claim[]>): void => {
  for (const [place, claims] of index) {
    const owner = new Map<string, string>();
    for (const { protocol, role } of claims) {
      const other = owner.get(role);
      if (other !== undefined) {
        throw new Error(`${place} is claimed as "${role}" by ${other} and again by ${protocol}`);
      }
      owner.set(role, protocol);
    }
  }
};

const indexTypedData = (all: ReadonlyMap<string, Protocol>): Map<string, KnownTypedData[]> => {
  const index = new Map<string, KnownTypedData[]>();
  for (const [protocol, { typedData }] of all) {
    for (const data of typedData ?? []) push(index, data.primaryType, { protocol, data });
  }
  return index;
};

/** By address first: most addresses are not a known contract on any chain. */
const indexByAddress = (
  contracts: ReadonlyMap<string, Claim[]>,
): ReadonlyMap<string, ReadonlyMap<number, readonly Claim[]>> => {
  const index = new Map<string, Map<number, readonly Claim[]>>();
  for (const [place, claims] of contracts) {
    const [chain = "", address = ""] = place.split(":");
    const known = index.get(address) ?? new Map<number, readonly Claim[]>();
    known.set(Number(chain), claims);
    index.set(address, known);
  }
  return index;
};

/** `all`: by id, in the order of ids, already checked. */
export const indexProtocols = (all: ReadonlyMap<string, Protocol>): Protocols => {
  const functions = indexFunctions(all);
  const contracts = indexContracts(all);
  checkClaims(contracts);
  const byAddress = indexByAddress(contracts);
  const typedData = indexTypedData(all);
  return {
    ...makeNames(all),
    all,
    at: (chain, address) => {
      const claims = byAddress.get(address);
      if (claims === undefined) return nothing;
      const here = claims.get(chain);
      const everywhere = claims.get(0);
      return here && everywhere ? [...here, ...everywhere] : (here ?? everywhere ?? nothing);
    },
    functionsFor: (selector) => functions.get(selector) ?? nothing,
    typedDataFor: (primaryType) => typedData.get(primaryType) ?? nothing,
  };
};
