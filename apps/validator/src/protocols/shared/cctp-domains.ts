/** Circle's ids of chains. */
const domains: Readonly<Record<number, readonly [mainnet: number, testnet: number | null]>> = {
  0: [1, 11155111],
  1: [43114, 43113],
  2: [10, 11155420],
  3: [42161, 421614],
  6: [8453, 84532],
  7: [137, 80002],
  10: [130, 1301],
  11: [59144, 59141],
};

const testnets = new Set([11155111, 43113, 11155420, 421614, 84532, 80002, 1301, 59141]);

/** Returns the chain of a domain, seen from another chain: testnets and main networks share the ids. Null: not known. */
export const findDomain = (domain: number, from: number): number | null =>
  domains[domain]?.[testnets.has(from) ? 1 : 0] ?? null;

export const chainOfDomain = (domain: number, from: number): number => {
  const chain = findDomain(domain, from);
  if (chain === null) throw new Error(`no chain has Circle's id ${domain}`);
  return chain;
};
