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

/** Returns why no balance follows from the state, or null if balances do. */
export function whyUnknown({ state, simulation }: Pick<Told, "state" | "simulation">): string | null {
  if (state?.status !== "proven") return state?.why ?? "The state of the chain was not read.";
  if (simulation === undefined) return "The account cannot pay for the transaction, so it was not executed.";
  if (simulation.reverted !== null)
    return "The transaction fails on the state that was read, so no balance follows from it.";
  if (simulation.diverged !== null)
    return "The transaction does something else in another block, so no balance follows from it.";
  return null;
}

/** Returns the reason if the balances are not known as a whole. */
export function describeBalances({ state, simulation, account }: Told, show: Show): Record<string, unknown> {
  const why = whyUnknown({ state, simulation });
  if (why !== null || state?.status !== "proven" || simulation === undefined) return unknown(why ?? "");
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
