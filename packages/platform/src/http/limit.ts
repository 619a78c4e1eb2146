import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Clock } from "../clock.ts";
import { requestErrors } from "../errors/index.ts";
import type { Caller } from "./auth.ts";

/** So many requests in a fixed window of a minute that begins with the first of them. */
export type Limit = { readonly max: number; readonly per: "ip" | { readonly scheme: string } };

const windowSeconds = 60;

export const perIp = (max: number): Limit => ({ max, per: "ip" });

/** Counted for each caller who came with that kind of credential; others pass it by. */
export const perCaller = (scheme: string, max: number): Limit => ({ max, per: { scheme } });

/** For what machines ask all day long: health, readiness, metrics. */
export const unlimited: readonly Limit[] = [];

/** What an endpoint gets that names no limit of its own. */
export const defaultLimits: readonly Limit[] = [perIp(300)];

export type LimitState = { readonly limit: number; readonly remaining: number; readonly resetAt: Date };

export type Limiter = {
  /** Counts one request; throws when it is one too many. */
  readonly count: (request: {
    readonly limit: Limit;
    readonly route: string;
    readonly key: string;
  }) => Promise<LimitState>;
};

export const keyOf = (limit: Limit, ip: string, caller: Caller | undefined): string | undefined => {
  if (limit.per === "ip") return ip;
  return caller?.scheme === limit.per.scheme ? caller.subject : undefined;
};

/** Limits held in this process. With one process that is all there is to know. */
export function makeLocalLimiter(clock: Clock): Limiter {
  const counters = new Map<string, RateLimiterMemory>();
  const counterFor = (route: string, limit: Limit): RateLimiterMemory => {
    const name = `${route} ${limit.per === "ip" ? "ip" : limit.per.scheme}`;
    const counter =
      counters.get(name) ??
      new RateLimiterMemory({ keyPrefix: name, points: limit.max, duration: windowSeconds });
    counters.set(name, counter);
    return counter;
  };
  return {
    async count({ limit, route, key }) {
      const at = (state: RateLimiterRes): LimitState => ({
        limit: limit.max,
        remaining: Math.max(0, state.remainingPoints),
        resetAt: new Date(clock.now().getTime() + state.msBeforeNext),
      });
      try {
        return at(await counterFor(route, limit).consume(key));
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused;
        const headers = {
          ...limitHeaders(at(refused)),
          "Retry-After": String(Math.ceil(refused.msBeforeNext / 1000)),
        };
        throw requestErrors.tooMany({ headers });
      }
    },
  };
}

export const limitHeaders = ({ limit, remaining, resetAt }: LimitState): Record<string, string> => ({
  "X-RateLimit-Limit": String(limit),
  "X-RateLimit-Remaining": String(remaining),
  "X-RateLimit-Reset": String(Math.ceil(resetAt.getTime() / 1000)),
});
