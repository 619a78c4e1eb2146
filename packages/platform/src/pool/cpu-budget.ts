/**
 * Watches the CPU time of a worker from the main thread. A synchronous loop cannot check itself, and wall time says little on a busy
 * machine.
 */
import type { AnyWorker } from "./start-worker.ts";

type Budget = {
  /** CPU time of the thread when the job began, in milliseconds. */
  readonly since: number;
  readonly budgetMs: number;
};

/** A thread that has not used its budget after this many times its length in wall time is starved or blocked, and is ended as well. */
const patience = 50;
const shortestWaitMs = 5;

/** Calls `over` once, with the CPU time used in milliseconds, when the budget is used up. Returns a function that ends the watch. */
export function watchCpu(
  worker: Pick<AnyWorker, "cpuUsage">,
  { since, budgetMs }: Budget,
  over: (usedMs: number) => void,
): () => void {
  const latest = performance.now() + patience * budgetMs;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;

  const end = (usedMs: number): void => {
    if (isOver) return;
    isOver = true;
    over(usedMs);
  };
  // A thread uses at most one millisecond of CPU in a millisecond, so there is nothing to see before what is left has passed.
  const lookIn = (waitMs: number): void => {
    timer = setTimeout(() => void look(), Math.max(waitMs, shortestWaitMs));
  };
  const look = async (): Promise<void> => {
    // Native code that takes no interrupts does not report, so the deadline does not wait for the report.
    const deadline = setTimeout(end, Math.max(latest - performance.now(), 0), Number.NaN);
    try {
      const { user, system } = await worker.cpuUsage();
      const usedMs = (user + system) / 1000 - since;
      if (isOver) return;
      if (usedMs >= budgetMs) end(usedMs);
      else lookIn(budgetMs - usedMs);
    } catch {
      // The thread has ended; its exit settles the job.
    } finally {
      clearTimeout(deadline);
    }
  };

  lookIn(budgetMs);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
