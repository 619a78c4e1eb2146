/** Runs the work of one key one after another, in the order of the calls. Different keys do not wait for each other. */
export type QueueByKey = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/**
 * Makes a queue for work that would wait for the same row lock. Waiting here holds no database connection, which
 * other accounts need meanwhile.
 */
export function makeQueueByKey(): QueueByKey {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key);
    // The outcome of earlier work is for its own caller.
    const mine = before === undefined ? work() : before.then(work, work);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}
