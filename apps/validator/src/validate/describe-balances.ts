/**
 * Describes what the account holds before and after the call, in base units, for the assets that change. Only amounts that the proven
 * state gives are reported: the native balance of the account, and what tokens answer to `balanceOf` in that state.
 */
import type { HeldBalance, Simulation, State } from "../simulation.ts";
import type { Show } from "./show.ts";

type Told = {
  readonly state?: State | undefined;
  readonly simulation?: Simulation | undefined;
  readonly account: string | null;
};

const unknown = (why: string): Record<string, unknown> => ({ status: "unknown", why });

/** Returns the reason if the balances are not known as a whole. */
export function describeBalances({ state, simulation, account }: Told, show: Show): Record<string, unknown> {
  if (state?.status !== "proven") return unknown(state?.why ?? "The state of the chain was not read.");
  if (simulation === undefined)
    return unknown("The account cannot pay for the transaction, so it was not executed.");
  if (simulation.reverted !== null)
    return unknown("The transaction fails on the state that was read, so no balance follows from it.");
  if (simulation.diverged !== null)
    return unknown("The transaction does something else in another block, so no balance follows from it.");
  return {
    status: "known",
    account,
    block: state.block.number.toString(),
    // The price of gas is chosen later, and rollups charge for data as well.
    fee_included: false,
    complete: simulation.unreadable === 0,
    assets: withoutCounts(simulation.balances).map((held) => describeOne(held, show)),
  };
}

/** A collection answers `balanceOf` with a count of its items. The items are listed. */
function withoutCounts(balances: readonly HeldBalance[]): readonly HeldBalance[] {
  const collections = new Set(balances.flatMap(({ asset }) => (asset.kind === "nft" ? [asset.address] : [])));
  return balances.filter(({ asset }) => asset.kind !== "token" || !collections.has(asset.address));
}

const describeOne = ({ asset, before, after }: HeldBalance, show: Show): Record<string, unknown> => ({
  ...show.asset(asset),
  decimals: asset.kind === "nft" ? 0 : show.decimals(asset),
  before: before?.toString() ?? null,
  after: after?.toString() ?? null,
  measured: before !== null && after !== null,
});
