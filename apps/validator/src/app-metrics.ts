import type { Metrics } from "@countersign/platform/http";
import type { Checker, Lane } from "./validate/checker.ts";

/** The part of the composition root that shows how busy the workers are: one set of numbers for each pool. */
export function addPoolMetrics(metrics: Metrics, { pools, states, overBudget }: Checker): void {
  const add = (prefix: string, route: string, lane: Lane): void => {
    const { waiting, threads, endedThreads } = pools[lane];
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
}
