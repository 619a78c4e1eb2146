/** Looks up an address of one chain in our tables of protocols. */
import type { Contracts } from "../facts.ts";
import type { Address } from "../proposal.ts";
import type { Protocols } from "../protocols/load-protocols.ts";

/** Both ends of an address, which people compare. */
const endsOf = (address: Address): string => `${address.slice(2, 5)}${address.slice(-3)}`;
/** Many addresses start with zeros to save gas, so leading zeros do not count. */
const isVain = (address: Address): boolean => address.startsWith("0x000");

type Index = ReadonlyMap<string, readonly Address[]>;
const indexes = new WeakMap<Protocols, Map<number, Index>>();

function indexEnds(protocols: Protocols, chain: number): Index {
  const index = new Map<string, Address[]>();
  for (const { contracts } of protocols.all.values())
    for (const chains of Object.values(contracts))
      for (const at of [chains[chain] ?? [], chains[0] ?? []].flat()) {
        const list = index.get(endsOf(at)) ?? [];
        index.set(endsOf(at), [...list, at]);
      }
  return index;
}

/** Built once per chain. */
function endsOn(protocols: Protocols, chain: number): Index {
  const byChain = indexes.get(protocols) ?? new Map<number, Index>();
  indexes.set(protocols, byChain);
  const known = byChain.get(chain) ?? indexEnds(protocols, chain);
  byChain.set(chain, known);
  return known;
}

export function describeContracts(protocols: Protocols, chain: number): Contracts {
  const at: Contracts["at"] = (address) => protocols.at(chain, address);
  return {
    at,
    like: (address) =>
      isVain(address) || at(address).length > 0
        ? null
        : (endsOn(protocols, chain).get(endsOf(address))?.[0] ?? null),
    isStandard: (protocol) => (protocols.all.get(protocol)?.names.length ?? 0) === 0,
    satisfies: protocols.satisfies,
    isPayable: ({ data, protocol }) => {
      const known = protocols
        .functionsFor(data.slice(0, 10) as Address)
        .filter((one) => one.protocol === protocol);
      return known.length === 0 ? null : known.some(({ fn }) => fn.payable);
    },
  };
}
