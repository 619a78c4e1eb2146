// Counts shared by all processes, in Redis. Redis may be down, slow, flushed or read-only at any time: then there is no
// result, and the caller uses the counts of this process.
import { Redis } from "ioredis";
import { RateLimiterRedis } from "rate-limiter-flexible";
import type { Log } from "../log/index.ts";

type SharedCount = { readonly count: number; readonly endsInMs: number };

export type SharedCounts = {
  /**
   * Counts one more, passes the result to `take`, and returns what it returns. Undefined if Redis does not answer in time;
   * a later answer is still passed on.
   */
  readonly count: <T>(id: string, take: (answer: SharedCount) => T) => Promise<T | undefined>;
  /** Throws unless Redis takes a write now. */
  readonly probe: () => Promise<void>;
  readonly close: () => void;
};

type Options = {
  readonly redisUrl: string;
  /** Apart from those of other apps in the same Redis. */
  readonly app: string;
  readonly windowSeconds: number;
  readonly log: Log;
};

/** How long a request waits for Redis. */
const patienceMs = 50;
/** A busy moment of this process looks like a slow Redis, once. So many in a row do not. */
const tooManyLate = 5;
const probeEveryMs = 1_000;

const connect = (redisUrl: string): Redis =>
  new Redis(redisUrl, {
    commandTimeout: 500,
    connectTimeout: 2_000,
    // Reconnects when a connection goes silent, long before TCP would notice.
    socketTimeout: 1_000,
    retryStrategy: (times) => Math.min(times * 100, 1_000),
    // Nothing waits for Redis to come back, and nothing is counted twice when it does.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
  });

const late = Symbol("late");

function within<T>(ms: number, answer: Promise<T>): Promise<T | typeof late> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms, late);
    answer.then(resolve, reject).finally(() => {
      clearTimeout(timer);
    });
  });
}

type Spokesman = {
  readonly away: (error: unknown) => void;
  readonly here: () => void;
  readonly hush: () => void;
};

/** One line when Redis goes and one when it is back, however many requests notice. */
function makeSpokesman(log: Log): Spokesman {
  let said: "away" | "here" | undefined;
  let isHushed = false;
  const say = (what: "away" | "here", line: () => void): void => {
    if (said === what || isHushed) return;
    said = what;
    line();
  };
  return {
    away: (error) => {
      say("away", () => {
        log.warn("Redis is away: each process counts its limits alone", { error });
      });
    },
    here: () => {
      say("here", () => {
        log.info("limits are shared through Redis");
      });
    },
    hush: () => {
      isHushed = true;
    },
  };
}

/** Pings Redis every second and reports changes. */
function watch(redis: Redis, key: string, spokesman: Spokesman): Pick<SharedCounts, "probe" | "close"> {
  const probe = async (): Promise<void> => {
    // Not logged: at startup Redis is connecting, not down. Connection errors are reported separately.
    if (redis.status !== "ready") throw new Error("there is no connection to Redis");
    const began = performance.now();
    try {
      // A write, because a full or read-only Redis answers a ping, too.
      await redis.set(key, "1", "EX", 60);
    } catch (error) {
      spokesman.away(error);
      throw error;
    }
    // Only this says that it is back, not an answer to a request: one that answers every other would fill the log.
    if (performance.now() - began <= patienceMs) spokesman.here();
  };
  const look = (): void => {
    // A failure has been told of by the probe itself.
    if (redis.status === "ready") probe().catch(() => undefined);
  };
  redis.on("error", spokesman.away);
  redis.on("close", () => {
    spokesman.away(new Error("the connection to Redis is closed"));
  });
  redis.on("ready", look);
  const looking = setInterval(look, probeEveryMs).unref();
  const close = (): void => {
    spokesman.hush();
    clearInterval(looking);
    redis.disconnect();
  };
  return { probe, close };
}

export function connectSharedCounts({ redisUrl, app, windowSeconds, log }: Options): SharedCounts {
  const keyPrefix = `limits:${app}`;
  const redis = connect(redisUrl);
  const spokesman = makeSpokesman(log);
  // It only counts. The caller compares the count with the limit.
  const points = Number.MAX_SAFE_INTEGER;
  const counter = new RateLimiterRedis({ storeClient: redis, keyPrefix, points, duration: windowSeconds });
  let lateInARow = 0;
  return {
    ...watch(redis, `${keyPrefix}:probe`, spokesman),
    async count(id, take) {
      if (redis.status !== "ready") return undefined;
      const answer = counter.consume(id).then(
        ({ consumedPoints, msBeforeNext }) => take({ count: consumedPoints, endsInMs: msBeforeNext }),
        (error: unknown) => {
          spokesman.away(error);
          return undefined;
        },
      );
      const taken = await within(patienceMs, answer);
      lateInARow = taken === late ? lateInARow + 1 : 0;
      if (lateInARow >= tooManyLate)
        spokesman.away(new Error(`${lateInARow} answers in a row took longer than ${patienceMs} ms`));
      return taken === late ? undefined : taken;
    },
  };
}
