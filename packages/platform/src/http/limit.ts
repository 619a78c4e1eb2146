import { createHash } from "node:crypto";
import type { Clock } from "../clock.ts";
import { requestErrors } from "../errors/index.ts";
import type { Caller } from "./auth.ts";
import { makeWindows, type Window } from "./limit-windows.ts";
import { networkOf } from "./network-of.ts";

/** So many requests in a fixed window of a minute that begins with the first of them. */
export type Limit = {
  readonly max: number;
  readonly per: "ip" | { readonly scheme: string } | { readonly value: string };
  /**
   * Names a costly operation that is counted instead of requests. The code that performs it counts it across all endpoints;
   * the endpoint lists the limit for documentation.
   */
  readonly counts?: string;
};

export const windowSeconds = 60;

/** Counted for each IPv4 address and for each /64 of IPv6. */
export const perIp = (max: number): Limit => ({ max, per: "ip" });

/** Counted for each caller who came with that kind of credential; others pass it by. */
export const perCaller = (scheme: string, max: number): Limit => ({ max, per: { scheme } });

/** Counted for each value of that member of the query or the body, from wherever it comes. */
export const perValue = (value: string, max: number): Limit => ({ max, per: { value } });

/** For what machines ask all day long: health, readiness, metrics. */
export const unlimited: readonly Limit[] = [];

const standardLimit = perIp(300);

/** The limits of an endpoint that names none of its own. A service may set another number: `applyStandardLimit`. */
export const defaultLimits: readonly Limit[] = [standardLimit];

/** Returns the limits with the standard one set to `max` requests per minute. An endpoint's own limits stay as they are. */
export const applyStandardLimit = (limits: readonly Limit[], max: number | undefined): readonly Limit[] =>
  max === undefined ? limits : limits.map((limit) => (limit === standardLimit ? perIp(max) : limit));

export type LimitState = { readonly limit: number; readonly remaining: number; readonly resetAt: Date };

export type Limiter = {
  /** Counts one request; throws or rejects when it is one too many. A promise only if the counts are shared. */
  readonly count: (request: {
    readonly limit: Limit;
    readonly route: string;
    readonly key: string;
  }) => LimitState | Promise<LimitState>;
};

/** The facts about a request when it is counted. */
type Counted = {
  readonly ip: string;
  readonly caller?: Caller | undefined;
  /** Query and body, once they are parsed. */
  readonly inputs?: readonly unknown[];
};

const memberOf = (input: unknown, name: string): unknown =>
  typeof input === "object" && input !== null && Object.hasOwn(input, name)
    ? (input as Readonly<Record<string, unknown>>)[name]
    : undefined;

/** The value's hash: it may be a secret, and counters are kept in memory and in Redis. */
function keyOfValue(name: string, inputs: readonly unknown[]): string | undefined {
  const value = inputs.map((input) => memberOf(input, name)).find((found) => typeof found === "string");
  return value === undefined ? undefined : createHash("sha256").update(value).digest("base64url");
}

export function keyOf({ per }: Limit, { ip, caller, inputs = [] }: Counted): string | undefined {
  if (per === "ip") return ip;
  if ("value" in per) return keyOfValue(per.value, inputs);
  return caller?.scheme === per.scheme ? caller.subject : undefined;
}

const kindOf = ({ per }: Limit): string =>
  per === "ip" ? "ip" : "value" in per ? `value:${per.value}` : per.scheme;

/** One counter for each kind of limit of each endpoint and each who is counted. */
export const counterOf = (limit: Limit, route: string, key: string): string =>
  `${limit.counts ?? route} ${kindOf(limit)} ${limit.per === "ip" ? networkOf(key) : key}`;

/** Returns the headers of a window, or throws if the limit is exceeded. */
export function judge(limit: Limit, { count, endsAtMs }: Window, clock: Clock): LimitState {
  const resetAt = new Date(endsAtMs);
  const state = { limit: limit.max, remaining: Math.max(0, limit.max - count), resetAt };
  if (count <= limit.max) return state;
  const waitSeconds = Math.max(1, Math.ceil((endsAtMs - clock.now().getTime()) / 1000));
  throw requestErrors.tooMany({ headers: { ...limitHeaders(state), "Retry-After": String(waitSeconds) } });
}

/** Limits held in this process. With one process that is all there is to know. */
export function makeLocalLimiter(clock: Clock): Limiter {
  const windows = makeWindows(clock, windowSeconds * 1000);
  return {
    count: ({ limit, route, key }) => judge(limit, windows.count(counterOf(limit, route, key)), clock),
  };
}

export const limitHeaders = ({ limit, remaining, resetAt }: LimitState): Record<string, string> => ({
  "X-RateLimit-Limit": String(limit),
  "X-RateLimit-Remaining": String(remaining),
  "X-RateLimit-Reset": String(Math.ceil(resetAt.getTime() / 1000)),
});
