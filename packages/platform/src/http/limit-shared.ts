import type { Clock } from "../clock.ts";
import type { Log } from "../log/index.ts";
import { connectSharedCounts } from "./limit-redis.ts";
import { makeWindows } from "./limit-windows.ts";
import { counterOf, judge, windowSeconds, type Limiter } from "./limit.ts";

export type SharedLimiter = Limiter & {
  /** Throws unless the limits are shared now. They hold either way. */
  readonly probe: () => Promise<void>;
  readonly close: () => void;
};

type Options = {
  readonly redisUrl: string;
  readonly app: string;
  readonly clock: Clock;
  readonly log: Log;
};

/**
 * Limits that several processes share through Redis. Every request is counted here as well, and refused if either count
 * is full; the count here follows the shared one. So Redis can only make a limit tighter. During an outage, each process
 * continues in the same window from the highest count it has seen, and at worst allows the limit once more.
 */
export function makeSharedLimiter({ clock, ...options }: Options): SharedLimiter {
  const windows = makeWindows(clock, windowSeconds * 1000);
  const shared = connectSharedCounts({ ...options, windowSeconds });
  return {
    async count({ limit, route, key }) {
      const id = counterOf(limit, route, key);
      const own = windows.count(id);
      // Thrown before Redis is asked: a flood is refused here, at no cost to the others.
      judge(limit, own, clock);
      const binding = await shared.count(id, ({ count, endsInMs }) =>
        own.learn({ count, endsAtMs: clock.now().getTime() + endsInMs }),
      );
      return judge(limit, binding ?? own, clock);
    },
    probe: shared.probe,
    close: shared.close,
  };
}
