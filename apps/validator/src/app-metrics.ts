import type { Clock } from "@countersign/platform/clock";
import type { Metrics } from "@countersign/platform/http";
import { listKinds, secondsLeft, secondsOf, type ListKeeper, type ListKind } from "./lists/index.ts";
import type { Checker, Lane } from "./validate/checker.ts";

/** The part of the composition root that shows how busy the workers are: one set of numbers for each pool. */
export function addPoolMetrics(metrics: Metrics, { pools, states, overBudget }: Checker): void {
  const add = (prefix: string, route: string, lane: Lane): void => {
    const { waiting, threads, endedThreads, replacedThreads } = pools[lane];
    metrics.gauge(`${prefix}_waiting`, `Requests to ${route} that wait for a worker.`, waiting);
    metrics.gauge(`${prefix}_workers`, `Workers of ${route} that can take requests.`, threads);
    metrics.counter(
      `${prefix}_over_budget_total`,
      `Requests to ${route} answered not_checked because they went over their budget.`,
      () => overBudget(lane),
    );
    metrics.counter(
      `${prefix}_workers_ended_total`,
      `Workers of ${route} that were ended because their request did not stop within its budget.`,
      endedThreads,
    );
    metrics.counter(
      `${prefix}_workers_replaced_total`,
      `Workers of ${route} that were replaced because of the memory that they kept between requests.`,
      replacedThreads,
    );
  };
  add("validate", "POST /validate", "ordinary");
  add("public_validate", "POST /public/validate", "public");
  metrics.gauge("simulate_waiting", "States that wait for a worker.", states.waiting);
  metrics.gauge("simulate_workers", "Workers that can execute states.", states.threads);
  metrics.counter(
    "simulate_workers_ended_total",
    "Workers that were ended because a simulation did not stop within its budget.",
    states.endedThreads,
  );
  metrics.counter(
    "simulate_workers_replaced_total",
    "Workers that were replaced because of the memory that they kept between simulations.",
    states.replacedThreads,
  );
}

type ListParts = {
  readonly lists: Pick<ListKeeper, "current" | "problem">;
  readonly clock: Clock;
  readonly maxAgeDays: number;
};

/** The age of each list, and when it no longer clears an address. */
export function addListMetrics(metrics: Metrics, { lists, clock, maxAgeDays }: ListParts): void {
  const now = (): bigint => BigInt(Math.floor(clock.now().getTime() / 1000));
  const byKind = (read: (kind: ListKind) => number | null): ReadonlyMap<string, number> =>
    new Map(
      listKinds.flatMap((kind) => {
        const number = read(kind);
        return number === null ? [] : [[kind, number] as const];
      }),
    );
  metrics.gaugeBy("list_age_seconds", "Age of each kind of list.", "list", async () =>
    byKind((kind) => {
      const list = lists.current()?.[kind] ?? null;
      return list === null ? null : Number(now() - secondsOf(list.asOf));
    }),
  );
  metrics.gaugeBy(
    "list_expires_seconds",
    "Time until each kind of list no longer clears an address. Negative afterwards. Absent without a complete list.",
    "list",
    async () =>
      byKind((kind) => {
        const list = lists.current()?.[kind] ?? null;
        return list === null ? null : secondsLeft(list, now(), maxAgeDays);
      }),
  );
  metrics.gauge(
    "lists_refused",
    "1 while changed list files are refused and the previous ones are in use.",
    () => (lists.problem() === null ? 0 : 1),
  );
}
