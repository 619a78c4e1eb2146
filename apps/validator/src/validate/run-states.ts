/**
 * Executes states in threads of their own, each within a CPU budget: contracts of others never run in a thread that decides, and a
 * simulation that takes too long ends no check.
 */
import type { Log } from "@countersign/platform/log";
import { makePool, type Pool } from "@countersign/platform/pool";
import type { Config } from "../config.ts";
import { refuseState, type StateRun } from "../state/index.ts";
import type { StateJob } from "../state/state-worker.ts";

export type StateRunner = {
  readonly start: () => Promise<unknown>;
  /** Throws `PoolBusy` if there is no room. */
  readonly run: (state: unknown) => Promise<StateRun>;
  readonly pool: Pick<
    Pool<StateJob, StateRun, null>,
    "waiting" | "threads" | "endedThreads" | "replacedThreads"
  >;
  readonly close: () => Promise<void>;
};

const maxWaitMs = 10_000;
const memoryMb = 256;

export function makeStateRunner({
  config,
  log,
}: {
  readonly config: Config;
  readonly log: Log;
}): StateRunner {
  const pool: Pool<StateJob, StateRun, null> = makePool({
    name: "state",
    file: new URL("../state/state-worker.ts", import.meta.url),
    dataFor: () => null,
    size: config.SIMULATE_WORKERS,
    queue: config.SIMULATE_QUEUE,
    maxWaitMs,
    memoryMb,
    log,
  });
  const budgetMs = config.SIMULATE_CPU_MS;
  return {
    start: pool.start,
    run: async (state) => {
      const outcome = await pool.run({ state, budgetMs }, { budgetMs, isLarge: false });
      if (outcome.kind === "done") return outcome.result;
      return refuseState(
        outcome.of === "time"
          ? "The simulation took too long and was stopped."
          : "The simulation needed too much memory and was stopped.",
      );
    },
    pool,
    close: pool.close,
  };
}
