/**
 * A fixed number of worker threads and a bounded queue before them. A thread whose job goes over its budget is ended and replaced in
 * the background; never more threads than the pool's size run jobs, so a flood of expensive jobs cannot take more CPU than that. A
 * thread that keeps memory is replaced between two jobs, and serves until the new one is ready.
 */
import { makeCrew, type Crew } from "./crew.ts";
import { makeJobQueue } from "./job-queue.ts";
import type { CrewOptions } from "./starter.ts";
import type { Outcome, Thread } from "./thread.ts";

/** Thrown by `run` when the queue is full, a job waited too long, or the pool is closed. */
export class PoolBusy extends Error {
  override readonly name = "PoolBusy";
}

export type PoolOptions = CrewOptions & {
  /** Jobs that may wait. */
  readonly queue: number;
  readonly maxWaitMs: number;
};

type JobOptions = { readonly budgetMs: number; readonly isLarge: boolean };

export type Pool<Job, Result, About> = Pick<Crew<Job, Result, About>, "start" | "isServing" | "close"> & {
  readonly run: (job: Job, options: JobOptions) => Promise<Outcome<Result>>;
  readonly waiting: () => number;
  /** Threads that can take jobs, busy ones included. */
  readonly threads: () => number;
  /** Threads ended because their jobs went over their budget, since the start. */
  readonly endedThreads: () => number;
  /** Threads replaced between two jobs because of the memory that they kept, since the start. */
  readonly replacedThreads: () => number;
  /** Memory of the thread that keeps the most between jobs, in MB: of a process what it grew by since its start. */
  readonly heldMb: () => number;
};

type Waiting<Job, Result> = JobOptions & {
  readonly job: Job;
  readonly since: number;
  readonly resolve: (outcome: Outcome<Result>) => void;
  readonly reject: (error: unknown) => void;
  readonly giveUp: NodeJS.Timeout;
};

export function makePool<Job, Result, About>(options: PoolOptions): Pool<Job, Result, About> {
  const { name, maxWaitMs, log } = options;
  const dispatcher = makeDispatcher<Job, Result>(options.size, (thread) => {
    crew.noteRest(thread);
  });
  const crew = makeCrew<Job, Result, About>(options, {
    onReady: dispatcher.addThread,
    onLeft: dispatcher.removeThread,
  });
  let isClosed = false;
  let endedThreads = 0;

  const wait = (job: Job, { budgetMs, isLarge }: JobOptions): Promise<Outcome<Result>> =>
    new Promise((resolve, reject) => {
      const giveUp = setTimeout(() => {
        dispatcher.queue.remove(waiting);
        reject(new PoolBusy("the job waited too long"));
      }, maxWaitMs);
      const since = performance.now();
      const waiting: Waiting<Job, Result> = { job, budgetMs, isLarge, since, resolve, reject, giveUp };
      dispatcher.add(waiting);
    });

  return {
    start: crew.start,
    isServing: crew.isServing,
    run: async (job, jobOptions) => {
      if (isClosed) throw new PoolBusy("the pool is closed");
      if (!dispatcher.hasRoom(jobOptions) && dispatcher.queue.length() >= options.queue)
        throw new PoolBusy("the queue is full");
      const outcome = await wait(job, jobOptions);
      if (outcome.kind === "done") return outcome;
      endedThreads += 1;
      const durationMs = Math.round(outcome.cpuMs);
      log.warn("worker thread ended over its budget", { step: name, reason: outcome.of, durationMs });
      return outcome;
    },
    waiting: dispatcher.queue.length,
    threads: crew.count,
    endedThreads: () => endedThreads,
    replacedThreads: crew.replaced,
    heldMb: crew.heldMb,
    close: async () => {
      isClosed = true;
      for (const left of dispatcher.queue.takeAll()) {
        clearTimeout(left.giveUp);
        left.reject(new PoolBusy("the pool is closed"));
      }
      await crew.close();
    },
  };
}

/** Brings waiting jobs and idle threads together. One thread stays free of large jobs, if there are several. */
function makeDispatcher<Job, Result>(size: number, onRest: (thread: Thread<Job, Result>) => void) {
  const queue = makeJobQueue<Waiting<Job, Result>>();
  const idle = new Set<Thread<Job, Result>>();
  const mostLarge = Math.max(1, size - 1);
  let large = 0;

  const dispatch = (): void => {
    for (const thread of idle) {
      const next = queue.take(performance.now(), large < mostLarge);
      if (next === undefined) return;
      idle.delete(thread);
      void give(thread, next);
    }
  };
  const give = async (thread: Thread<Job, Result>, waiting: Waiting<Job, Result>): Promise<void> => {
    const { job, budgetMs, isLarge, resolve, reject, giveUp } = waiting;
    clearTimeout(giveUp);
    if (isLarge) large += 1;
    try {
      resolve(await thread.run(job, budgetMs));
    } catch (error) {
      reject(error);
    } finally {
      if (isLarge) large -= 1;
      onRest(thread);
      if (thread.isAlive()) idle.add(thread);
      dispatch();
    }
  };
  return {
    queue,
    hasRoom: ({ isLarge }: JobOptions): boolean => idle.size > 0 && (!isLarge || large < mostLarge),
    add: (waiting: Waiting<Job, Result>): void => {
      queue.add(waiting);
      dispatch();
    },
    addThread: (thread: Thread<Job, Result>): void => {
      idle.add(thread);
      dispatch();
    },
    removeThread: (thread: Thread<Job, Result>): void => {
      idle.delete(thread);
    },
  };
}
