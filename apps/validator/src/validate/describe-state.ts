/** Describes the state of the chain that a verdict used, by its hash and block, and what the call did on it. */
import type { Engines, ExecutedSwap, Facts, ProvenNames, Registry, Simulation } from "../facts.ts";
import { describeBalances } from "./describe-balances.ts";
import { describeBounds } from "./describe-bounds.ts";
import { makeShow, type Show } from "./show.ts";

/** Version of the interpreter, because a replay needs the same. */
const engine = "@ethereumjs/vm 10.1.3";

/** Without a state the response has none of these members. */
export function describeState(
  { state, funds, simulation, executedSwap, names, engines, proposal, intent, reading }: Partial<Facts>,
  registry: Registry,
): Record<string, unknown> {
  if (state === undefined) return {};
  const show = makeShow(registry, proposal?.chain.id ?? 0, undefined);
  const account = simulation?.account ?? proposal?.actor ?? null;
  const balances = describeBalances({ state, simulation, account }, show);
  const bounds = describeBounds({ state, simulation, intent, reading, account }, show);
  if (state.status === "refused") {
    const { status, hash, why } = state;
    return { state: { status, hash, why }, simulation: null, balances, bounds };
  }
  const { number, hash, timestamp } = state.block;
  return {
    state: {
      status: state.status,
      hash: state.hash,
      block: { number: number.toString(), hash, timestamp: timestamp.toString() },
      engine,
    },
    ...describeEngines(engines),
    ...(names === undefined ? {} : { names: describeNames(names) }),
    simulation:
      simulation === undefined
        ? null
        : {
            ...describeSimulation(simulation, show),
            ...(executedSwap === undefined ? {} : { swap: describeSwap(executedSwap, show) }),
            held: describeHeld(funds, show),
          },
    balances,
    bounds,
  };
}

/** How the state resolves each name. */
const describeNames = (names: ProvenNames): readonly unknown[] =>
  [...names].map(([name, found]) =>
    found.address === null
      ? { name, address: null, why: `${name} ${found.why}.` }
      : { name, address: found.address, resolver: found.resolver },
  );

/** Both results, if they differ. The text of an engine is its own. */
function describeEngines(engines: Engines | undefined): Record<string, unknown> {
  return engines === undefined ? {} : { second_engine: describeAgreement(engines) };
}

function describeAgreement(engines: Engines): Record<string, unknown> {
  if (engines.status === "agree")
    return { result: engines.status, engine: engines.engine, outcome: engines.first };
  if (engines.status === "differs") {
    const { status: result, engine: name, first, second, differences } = engines;
    return { result, engine: name, first, second, differences };
  }
  if (engines.status === "refused") return { result: engines.status, why: engines.why };
  return { result: engines.status, engine: engines.engine, why: engines.why };
}

const describeHeld = (funds: Facts["funds"] | undefined, show: Show): readonly unknown[] => [
  { ...show.asset({ kind: "native" }), amount: show.units({ kind: "native" }, funds?.native ?? 0n) },
  ...[...(funds?.tokens ?? [])].map(([address, amount]) => {
    const asset = { kind: "token" as const, address };
    return { ...show.asset(asset), amount: show.units(asset, amount) };
  }),
];

/** Losses and room in basis points. */
const describeSwap = ({ out, into, paid, arrived, roomBps, lossBps }: ExecutedSwap, show: Show): object => ({
  paid: { ...show.asset(out), amount: show.units(out, paid) },
  arrived: { ...show.asset(into), amount: show.units(into, arrived) },
  ...{ room_bps: roomBps, loss_to_feeds_bps: lossBps },
});

function describeSimulation(simulation: Simulation, show: Show): Record<string, unknown> {
  const signed = (asset: Simulation["changes"][number]["asset"], amount: bigint): string =>
    `${amount < 0n ? "-" : ""}${show.units(asset, amount < 0n ? -amount : amount)}`;
  return {
    reverted: simulation.reverted,
    diverged: simulation.diverged,
    variants: simulation.variants,
    calls: simulation.calls,
    sent_by_others: simulation.isRelayed,
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
    parties: simulation.parties.map(({ address, hasCode, delegate, isUsed }) => ({
      ...{ address, code: hasCode, delegates_to: delegate, used: isUsed },
    })),
    proxies: simulation.proxies,
    prices_usd: [...simulation.prices].map(([asset, usd]) => ({
      asset,
      usd: (Number(usd) / 1e8).toString(),
    })),
  };
}
