/** Starts the threads of a pool. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../log/index.ts";
import type { WorkerKind } from "./start-worker.ts";
import { startThread, type Started } from "./thread.ts";

export type CrewOptions = {
  readonly name: string;
  /** By default threads. */
  readonly kind?: WorkerKind;
  readonly file: URL;
  /** `isReplacement` is true for a thread that replaces one that ended. */
  readonly dataFor: (isReplacement: boolean) => unknown;
  /** Threads. */
  readonly size: number;
  /** The limit of one job. A thread that keeps most of it between two jobs is replaced. */
  readonly memoryMb: number;
  readonly log: Log;
};

type Starter<Job, Result, About> = {
  /** Rejects with the worker's own error. */
  readonly start: (isReplacement: boolean) => Promise<Started<Job, Result, About>>;
  /** Repeats a start until it succeeds or the pool closes. */
  readonly retry: (start: () => Promise<unknown>) => Promise<void>;
  /** Whether the last start failed. */
  readonly hasFailed: () => boolean;
};

const firstRetryMs = 1_000;
const longestRetryMs = 30_000;

export function makeStarter<Job, Result, About>(
  { name, kind = "thread", file, dataFor, memoryMb, log }: CrewOptions,
  closing: AbortSignal,
): Starter<Job, Result, About> {
  const isClosed = (): boolean => closing.aborted;
  let hasFailed = false;
  return {
    hasFailed: () => hasFailed,
    start: async (isReplacement) => {
      try {
        const options = { kind, file, data: dataFor(isReplacement), memoryMb, signal: closing };
        const started = await startThread<Job, Result, About>(options);
        hasFailed = false;
        return started;
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    },
    retry: async (start) => {
      for (let waitMs = firstRetryMs; !isClosed(); waitMs = Math.min(waitMs * 2, longestRetryMs))
        try {
          await start();
          return;
        } catch (error) {
          if (isClosed()) return;
          log.error("worker thread failed to start", { step: name, error });
          await sleep(waitMs, undefined, { signal: closing }).catch(() => undefined);
        }
    },
  };
}
