// The metrics of the stages of a proposal, for dashboards and alerts. A worker has them: they are the same in every process.
import type { Clock } from "@countersign/platform/clock";
import type { MeasureStore } from "./store.ts";

/** The part of the metrics that this needs. */
type Metrics = {
  readonly gauge: (name: string, help: string, read: () => number | Promise<number>) => void;
  readonly gaugeBy: (
    name: string,
    help: string,
    label: string | readonly string[],
    read: () => Promise<Iterable<readonly [string | readonly string[], number]>>,
  ) => void;
};

type NodeState = { readonly chain: string; readonly node: string; readonly isUp: boolean };

type Measured = {
  readonly metrics: Metrics;
  readonly store: MeasureStore;
  readonly clock: Clock;
  /** Balance in wei of each of the service's wallets, by its role. */
  readonly readBalances: () => Promise<ReadonlyMap<string, bigint>>;
  /** Whether each node answers, by its chain and its position in the setting. */
  readonly readNodes: () => Promise<readonly NodeState[]>;
};

const windowMs = 10 * 60 * 1000;
const decisions = ["APPROVED", "REJECTED", "UNDECIDED"] as const;

/** Reported without proposals, too, so that an alert sees a zero. */
const asksAlways = [
  ["none", 0],
  ["OUTSIDE_MANDATE", 0],
] as const;

/** Exact in integers until the last step: a gauge is a floating-point number. */
const toEther = (wei: bigint): number => Number(wei / 10n ** 9n) / 1e9;

const mapValues = <From, To>(
  map: ReadonlyMap<string, From>,
  change: (value: From) => To,
): ReadonlyMap<string, To> => new Map([...map].map(([key, value]) => [key, change(value)]));

export function addMeasures({ metrics, store, clock, readBalances, readNodes }: Measured): void {
  const beginning = (): Date => new Date(clock.now().getTime() - windowMs);
  const readRecent = () => store.readVerdictsSince(beginning());
  metrics.gauge(
    "flows_oldest_waiting_seconds",
    "Age of the oldest durable work that the engine has not taken.",
    () => store.readQueueAge(),
  );
  metrics.gaugeBy("verdicts_recent", "Verdicts of the last ten minutes.", "decision", async () => {
    const { counts } = await readRecent();
    return new Map(decisions.map((decision) => [decision, counts.get(decision) ?? 0]));
  });
  metrics.gauge(
    "verdict_recent_p95_seconds",
    "95th percentile of the time from proposal to verdict, over ten minutes. NaN without a verdict.",
    async () => (await readRecent()).p95Seconds ?? Number.NaN,
  );
  metrics.gaugeBy(
    "proposals_recent",
    "Proposals of the last ten minutes by the reason why their owner was asked. OUTSIDE_MANDATE: over a budget, or not covered.",
    "asks",
    async () => new Map([...asksAlways, ...(await store.readProposalsSince(beginning()))]),
  );
  metrics.gauge(
    "notifications_oldest_due_seconds",
    "Time for which messages to an owner could have been sent and were not.",
    () => store.readNotificationAge(),
  );
  metrics.gaugeBy(
    "notification_channels",
    "Active channels to owners, by whether the last attempts failed.",
    ["kind", "state"],
    async () => (await store.readChannels()).map(({ kind, state, count }) => [[kind, state], count]),
  );
  metrics.gaugeBy("watcher_lag_seconds", "Time since all blocks of the chain were read.", "chain", () =>
    store.readWatcherLag(),
  );
  metrics.gaugeBy("wallet_balance_ether", "Balance of the service's own wallets.", "wallet", async () =>
    mapValues(await readBalances(), toEther),
  );
  metrics.gaugeBy("rpc_up", "Whether a node of the chain answers: 1 or 0.", ["chain", "node"], async () =>
    (await readNodes()).map(({ chain, node, isUp }) => [[chain, node], isUp ? 1 : 0]),
  );
}
