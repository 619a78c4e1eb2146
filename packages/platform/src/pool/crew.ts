/** The threads of a pool: as many as it has places, and a new one for each that ends or keeps too much memory. */
import { makeStarter, type CrewOptions } from "./starter.ts";
import { makeSuccessions } from "./successions.ts";
import type { Thread } from "./thread.ts";

type Events<Job, Result> = {
  readonly onReady: (thread: Thread<Job, Result>) => void;
  /** It takes no more jobs. */
  readonly onLeft: (thread: Thread<Job, Result>) => void;
};

export type Crew<Job, Result, About> = {
  /** Resolves when the first thread is ready, with what it reports of itself. The others follow in the background. */
  readonly start: () => Promise<About>;
  /** Threads that can take jobs, busy ones included. */
  readonly count: () => number;
  /** Call after each job of a thread, and before it gets another. */
  readonly noteRest: (thread: Thread<Job, Result>) => void;
  /** Replaced because of the memory that they kept, since the start. */
  readonly replaced: () => number;
  /** Memory of the thread that keeps the most between jobs, in MB. */
  readonly heldMb: () => number;
  /** False while there is no thread and the last attempt to start one failed. */
  readonly isServing: () => boolean;
  readonly close: () => Promise<void>;
};

export function makeCrew<Job, Result, About>(
  options: CrewOptions,
  { onReady, onLeft }: Events<Job, Result>,
): Crew<Job, Result, About> {
  const live = new Set<Thread<Job, Result>>();
  const closing = new AbortController();
  const successions = makeSuccessions<Job, Result>(options, (leaving) => void keepStarting(true, leaving));
  const starter = makeStarter<Job, Result, About>(options, closing.signal);

  const leave = (thread: Thread<Job, Result>): void => {
    onLeft(thread);
    thread.retire();
  };

  const addThread = async (isReplacement: boolean, leaving?: Thread<Job, Result>): Promise<About> => {
    const { thread, about } = await starter.start(isReplacement);
    live.add(thread);
    void thread.ended.then(() => {
      live.delete(thread);
      onLeft(thread);
      if (!successions.hasOne(thread)) void keepStarting(true);
    });
    if (leaving !== undefined) {
      leave(leaving);
      await leaving.ended;
    }
    if (thread.isAlive()) onReady(thread);
    return about;
  };

  const keepStarting = (isReplacement: boolean, leaving?: Thread<Job, Result>): Promise<void> =>
    starter.retry(() => addThread(isReplacement, leaving));

  return {
    start: async () => {
      const about = await addThread(false);
      for (let started = 1; started < options.size; started += 1) void keepStarting(false);
      return about;
    },
    count: () => [...live].filter((thread) => thread.isAlive()).length,
    noteRest: (thread) => {
      if (thread.isAlive() && successions.mustLeave(thread)) leave(thread);
    },
    replaced: successions.count,
    heldMb: () => Math.max(0, ...[...live].map((thread) => thread.heldMb())),
    isServing: () => live.size > 0 || !starter.hasFailed(),
    close: async () => {
      closing.abort();
      await Promise.all([...live].map(({ ended }) => ended));
    },
  };
}
