/** Describes the state of the chain that a verdict used, by its hash and block, and what the call did on it. */
import type { Facts, Registry, Simulation } from "../facts.ts";
import { describeBalances } from "./describe-balances.ts";
import { makeShow, type Show } from "./show.ts";

/** Version of the interpreter, because a replay needs the same. */
const engine = "@ethereumjs/vm 10.1.3";

/** Without a state the response has none of these members. */
export function describeState(
  { state, funds, simulation, proposal }: Partial<Facts>,
  registry: Registry,
): Record<string, unknown> {
  if (state === undefined) return {};
  const show = makeShow(registry, proposal?.chain.id ?? 0, undefined);
  const balances = describeBalances({ state, simulation, account: proposal?.actor ?? null }, show);
  if (state.status === "refused")
    return { state: { status: state.status, hash: state.hash, why: state.why }, simulation: null, balances };
  const { number, hash, timestamp } = state.block;
  return {
    state: {
      status: state.status,
      hash: state.hash,
      block: { number: number.toString(), hash, timestamp: timestamp.toString() },
      engine,
    },
    simulation:
      simulation === undefined
        ? null
        : {
            ...describeSimulation(simulation, show),
            held: [
              {
                ...show.asset({ kind: "native" }),
                amount: show.units({ kind: "native" }, funds?.native ?? 0n),
              },
              ...[...(funds?.tokens ?? [])].map(([address, amount]) => {
                const asset = { kind: "token" as const, address };
                return { ...show.asset(asset), amount: show.units(asset, amount) };
              }),
            ],
          },
    balances,
  };
}

function describeSimulation(simulation: Simulation, show: Show): Record<string, unknown> {
  const signed = (asset: Simulation["changes"][number]["asset"], amount: bigint): string =>
    `${amount < 0n ? "-" : ""}${show.units(asset, amount < 0n ? -amount : amount)}`;
  return {
    reverted: simulation.reverted,
    diverged: simulation.diverged,
    variants: simulation.variants,
    gas_used: simulation.gasUsed.toString(),
    fee: show.units({ kind: "native" }, simulation.fee),
    changes: simulation.changes.map(({ holder, asset, amount, isMeasured }) => ({
      holder,
      ...show.asset(asset),
      change: signed(asset, amount),
      measured: isMeasured,
    })),
    approvals: simulation.approvals.map(({ spender, asset, before, after }) => ({
      spender,
      ...show.asset(asset),
      before: show.units(asset, before),
      after: show.units(asset, after),
    })),
    control: simulation.control,
    prices_usd: [...simulation.prices].map(([asset, usd]) => ({
      asset,
      usd: (Number(usd) / 1e8).toString(),
    })),
  };
}
