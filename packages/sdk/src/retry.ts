// Decides whether and when to retry a request.
import { orAborted } from "./http/deadline.ts";

/** Statuses of temporary errors. */
const passing: readonly number[] = [408, 429, 500, 502, 503, 504];

/** A longer Retry-After is passed on to the caller instead of being waited for. */
const longestMs = 60_000;

/** Reads the header Retry-After, which contains seconds or a date by the service's clock. Returns milliseconds. */
export function readRetryAfter(headers: Headers, now = Date.now()): number | undefined {
  const text = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  // A date always names its month; without this check "-1" would parse as a year.
  const date = /[a-z]{3}/i.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(date)) return undefined;
  const itsNow = Date.parse(headers.get("date") ?? "");
  return Math.max(0, date - (Number.isNaN(itsNow) ? now : itsNow));
}

/** Exponential backoff with jitter, in milliseconds. */
export const backOffMs = (count: number): number =>
  Math.min(8_000, 250 * 2 ** Math.min(count, 10)) * (0.5 + Math.random() / 2);

/** Not earlier than requested, with jitter so that clients do not retry at the same moment. */
const notBefore = (ms: number): number => ms + 100 * Math.random();

export type Course = {
  /** The number of retries so far. */
  readonly count: number;
  /** The request is idempotent. */
  readonly isRepeatable: boolean;
  /** It carries an idempotency key. */
  readonly isKeyed: boolean;
  /** An earlier attempt may have arrived although its response was lost. */
  readonly mayBeUnderWay?: boolean;
};

type Refused = { readonly status: number; readonly retryAfterMs: number | undefined };

/** Returns the milliseconds to wait before a retry, or undefined for no retry. */
export function pauseAfter(course: Course, outcome: Refused | "lost"): number | undefined {
  if (outcome === "lost") return course.isRepeatable ? backOffMs(course.count) : undefined;
  const { status, retryAfterMs } = outcome;
  // A 429 is sent before the request has any effect.
  const isSafe = course.isRepeatable || status === 429;
  if (!isSafe || !(passing.includes(status) || isOurOwn(course, outcome))) return undefined;
  if (retryAfterMs === undefined) return backOffMs(course.count);
  return retryAfterMs > longestMs ? undefined : notBefore(retryAfterMs);
}

/** A 409 for an idempotency key means that the same request is still in progress. */
const isOurOwn = ({ isKeyed, mayBeUnderWay }: Course, { status, retryAfterMs }: Refused): boolean =>
  status === 409 && isKeyed && (mayBeUnderWay === true || retryAfterMs !== undefined);

/** Rejects with the signal's reason as soon as it is aborted. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await orAborted(new Promise<void>((resolve) => (timer = setTimeout(resolve, ms))), signal);
  } finally {
    clearTimeout(timer);
  }
}
