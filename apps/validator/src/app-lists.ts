/** The part of the composition root that keeps the operator's lists up to date. */
import type { Clock } from "@countersign/platform/clock";
import type { HealthCheck } from "@countersign/platform/http";
import type { Log } from "@countersign/platform/log";
import { startRounds, type Rounds } from "@countersign/platform/rounds";
import type { Config } from "./config.ts";
import { keepLists, openSnapshot, readListKey, type ListKeeper, type Lists } from "./lists/index.ts";

export type WatchedLists = Pick<ListKeeper, "load" | "current" | "problem"> & {
  /** The current lists with their age. Undefined until they are loaded. */
  readonly opened: () => Lists | undefined;
  /** Begins to look for changed files, LIST_POLL_SECONDS apart. */
  readonly watch: () => void;
  readonly stop: () => Promise<void>;
  /** Degraded while changed files are refused; verdicts go on with the previous lists. */
  readonly healthCheck: HealthCheck;
};

export function watchLists(config: Config, clock: Clock, log: Log): WatchedLists {
  const keeper = keepLists({
    directory: config.VALIDATOR_DATA_DIR ?? null,
    keys: config.LIST_KEYS.flatMap((key) => readListKey(key) ?? []),
    clock,
    log,
  });
  const seconds = (): bigint => BigInt(Math.floor(clock.now().getTime() / 1000));
  let rounds: Rounds | undefined;
  const run = async (): Promise<void> => {
    const problem = keeper.problem();
    if (problem !== null) throw new Error(problem);
  };
  return {
    ...keeper,
    opened: () => {
      const snapshot = keeper.current();
      return snapshot === undefined ? undefined : openSnapshot(snapshot, seconds, config.MAX_LIST_AGE_DAYS);
    },
    watch: () => {
      rounds = startRounds({
        everyMs: config.LIST_POLL_SECONDS * 1_000,
        run: async () => {
          keeper.refresh();
        },
        onError: (error) => {
          log.error("looking for changed lists failed", { error });
        },
      });
    },
    stop: async () => rounds?.stop(),
    healthCheck: { name: "lists", required: false, run },
  };
}
