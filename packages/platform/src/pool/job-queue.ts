/**
 * Jobs that wait for a thread. Small ones go first, because their callers wait longest in proportion; a large one that has waited long
 * enough goes before them, so that it is served too.
 */
type Queued = {
  readonly isLarge: boolean;
  /** Milliseconds on a monotonic clock. */
  readonly since: number;
};

type JobQueue<T extends Queued> = {
  readonly length: () => number;
  readonly add: (job: T) => void;
  readonly remove: (job: T) => void;
  /** Takes out all jobs. */
  readonly takeAll: () => readonly T[];
  /** Takes out the next job. Large ones stay while `mayBeLarge` is false. */
  readonly take: (now: number, mayBeLarge: boolean) => T | undefined;
};

const fairAfterMs = 1_000;

export function makeJobQueue<T extends Queued>(): JobQueue<T> {
  // Sets keep the order in which jobs came and remove one from the middle at no cost.
  const small = new Set<T>();
  const large = new Set<T>();
  const laneOf = ({ isLarge }: T): Set<T> => (isLarge ? large : small);
  const takeFrom = (lane: Set<T>): T | undefined => {
    const [first] = lane;
    if (first !== undefined) lane.delete(first);
    return first;
  };
  return {
    length: () => small.size + large.size,
    add: (job) => void laneOf(job).add(job),
    remove: (job) => void laneOf(job).delete(job),
    takeAll: () => {
      const all = [...small, ...large];
      small.clear();
      large.clear();
      return all;
    },
    take: (now, mayBeLarge) => {
      const [oldest] = large;
      const isLate = oldest !== undefined && now - oldest.since >= fairAfterMs;
      if (mayBeLarge && (isLate || small.size === 0)) return takeFrom(large);
      return takeFrom(small);
    },
  };
}
