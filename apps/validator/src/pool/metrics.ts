import type { Metrics } from "@countersign/platform/http";
import type { Pool } from "./pool.ts";

type Measured = Pick<Pool<never, unknown, unknown>, "waiting" | "threads" | "overBudget">;

/** One set of numbers for each pool. */
export function addPoolMetrics(
  metrics: Metrics,
  pools: { readonly ordinary: Measured; readonly public: Measured },
): void {
  const add = (prefix: string, route: string, pool: Measured): void => {
    metrics.gauge(`${prefix}_waiting`, `Requests to ${route} that wait for a worker.`, pool.waiting);
    metrics.gauge(`${prefix}_workers`, `Workers of ${route} that can take requests.`, pool.threads);
    metrics.counter(
      `${prefix}_over_budget_total`,
      `Requests to ${route} that were stopped because they used too much CPU time or memory.`,
      pool.overBudget,
    );
  };
  add("validate", "POST /validate", pools.ordinary);
  add("public_validate", "POST /public/validate", pools.public);
}
