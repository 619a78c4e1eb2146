/** Finds the contracts in none of our tables that a transaction depends on. */
import type { Contracts, Facts, Reading, Simulation, Stranger } from "../facts.ts";
import type { Address } from "../proposal.ts";

type Known = Pick<Facts, "proposal" | "registry"> & {
  readonly contracts: Contracts;
  readonly simulation: Simulation | undefined;
};

/** Called contracts and spenders, with the implementations that were executed behind them. Excludes accounts that provably have no code. */
export function findStrangers(
  { leaves, effects }: Pick<Reading, "leaves" | "effects">,
  { proposal, registry, contracts, simulation }: Known,
): readonly Stranger[] {
  const found = new Map<Address, Stranger>();
  const plain = new Set(
    (simulation?.parties ?? [])
      .filter(({ hasCode, delegate }) => !hasCode && delegate === null)
      .map(({ address }) => address),
  );
  const isKnown = (address: Address): boolean =>
    address === proposal.actor?.toLowerCase() ||
    contracts.at(address).length > 0 ||
    registry.token(proposal.chain.id, address) !== null;
  const add = (one: Stranger): void => {
    if (found.has(one.address) || plain.has(one.address) || isKnown(one.address)) return;
    found.set(one.address, one);
    for (const { address, implementation } of simulation?.proxies ?? [])
      if (address === one.address)
        add({ ...one, address: implementation, role: "implementation", behind: address });
  };
  const isExecuted = simulation?.reverted === null;
  for (const { to, data, where: call } of leaves)
    if (to !== null && data.length > 2)
      add({ address: to, role: "called", behind: null, where: { call, field: "to" }, isExecuted });
  for (const { authority } of effects) {
    if (authority === null || authority.spender === "self" || authority.spender === "venue") continue;
    const { spender: address, where } = authority;
    add({ address, role: "spender", behind: null, where, isExecuted: false });
  }
  return [...found.values()];
}
