/** The threads of a pool: as many as it has places, and a new one for each that ends. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../log/index.ts";
import { startThread, type Thread } from "./thread.ts";

export type CrewOptions = {
  readonly name: string;
  readonly file: URL;
  /** `isReplacement` is true for a thread that replaces one that ended. */
  readonly dataFor: (isReplacement: boolean) => unknown;
  /** Threads. */
  readonly size: number;
  readonly memoryMb: number;
  readonly log: Log;
};

type Events<Job, Result> = {
  readonly onReady: (thread: Thread<Job, Result>) => void;
  readonly onEnded: (thread: Thread<Job, Result>) => void;
};

export type Crew<About> = {
  /** Resolves when the first thread is ready, with what it reports of itself. The others follow in the background. */
  readonly start: () => Promise<About>;
  /** Threads that can take jobs, busy ones included. */
  readonly count: () => number;
  /** False while there is no thread and the last attempt to start one failed. */
  readonly isServing: () => boolean;
  readonly close: () => Promise<void>;
};

const firstRetryMs = 1_000;
const longestRetryMs = 30_000;

export function makeCrew<Job, Result, About>(
  { name, file, dataFor, size, memoryMb, log }: CrewOptions,
  { onReady, onEnded }: Events<Job, Result>,
): Crew<About> {
  const live = new Set<Thread<Job, Result>>();
  const closing = new AbortController();
  const isClosed = (): boolean => closing.signal.aborted;
  let failedStarts = 0;

  const addThread = async (isReplacement: boolean): Promise<About> => {
    const options = { file, data: dataFor(isReplacement), memoryMb, signal: closing.signal };
    const { thread, about } = await startThread<Job, Result, About>(options);
    failedStarts = 0;
    live.add(thread);
    void thread.ended.then(() => {
      live.delete(thread);
      onEnded(thread);
      void keepStarting(true);
    });
    onReady(thread);
    return about;
  };

  const keepStarting = async (isReplacement: boolean): Promise<void> => {
    for (let waitMs = firstRetryMs; !isClosed(); waitMs = Math.min(waitMs * 2, longestRetryMs))
      try {
        await addThread(isReplacement);
        return;
      } catch (error) {
        if (isClosed()) return;
        failedStarts += 1;
        log.error("worker thread failed to start", { step: name, error });
        await sleep(waitMs, undefined, { signal: closing.signal }).catch(() => undefined);
      }
  };

  return {
    start: async () => {
      const about = await addThread(false);
      for (let started = 1; started < size; started += 1) void keepStarting(false);
      return about;
    },
    count: () => [...live].filter((thread) => thread.isAlive()).length,
    isServing: () => live.size > 0 || failedStarts === 0,
    close: async () => {
      closing.abort();
      await Promise.all([...live].map(({ ended }) => ended));
    },
  };
}
