/** Decides which threads of a pool are replaced between two jobs, because they keep too much memory. */
import type { Log } from "../log/index.ts";
import type { Thread } from "./thread.ts";

/** Share of the memory that a thread may keep between jobs: the rest is for the next one. */
const keptAtMost = 0.75;
/** Ends a thread that keeps so many times its memory before another is ready. */
const keptUntilEnd = 2;

type Options = { readonly name: string; readonly memoryMb: number; readonly log: Log };

type Successions<Job, Result> = {
  /** Since the start. */
  readonly count: () => number;
  /** Whether another thread is being started for its place. */
  readonly hasOne: (thread: Thread<Job, Result>) => boolean;
  /** Starts another one if this one keeps too much. Returns whether it keeps so much that it cannot wait for that. */
  readonly mustLeave: (thread: Thread<Job, Result>) => boolean;
};

/** Native code may keep memory for ever, and no collection of JavaScript's garbage frees it. */
export function makeSuccessions<Job, Result>(
  { name, memoryMb, log }: Options,
  startFor: (leaving: Thread<Job, Result>) => void,
): Successions<Job, Result> {
  const followed = new WeakSet<Thread<Job, Result>>();
  let count = 0;
  return {
    count: () => count,
    hasOne: (thread) => followed.has(thread),
    mustLeave: (thread) => {
      const share = thread.heldMb() / memoryMb;
      if (share > keptAtMost && !followed.has(thread)) {
        followed.add(thread);
        count += 1;
        log.info("worker replaced, it kept memory", { step: name });
        startFor(thread);
      }
      return share > keptUntilEnd;
    },
  };
}
