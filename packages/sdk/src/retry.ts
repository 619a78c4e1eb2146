// When a request is sent again, and when it is not.
import { orAborted } from "./http/deadline.ts";

/** Gone a moment later, or the service says itself when to come again. */
const passing: readonly number[] = [408, 429, 500, 502, 503, 504];

/** A promise of the service that is longer than this is passed on to the caller instead of being waited for. */
const longestMs = 60_000;

/** Of the header Retry-After: seconds, or a date by the service's own clock. */
export function readRetryAfter(headers: Headers, now = Date.now()): number | undefined {
  const text = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  // A date always names its month; without that a number like "-1" would be a year.
  const date = /[a-z]{3}/i.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(date)) return undefined;
  const itsNow = Date.parse(headers.get("date") ?? "");
  return Math.max(0, date - (Number.isNaN(itsNow) ? now : itsNow));
}

/** Twice as long each time, and never at the same moment as everybody else. */
export const backOffMs = (count: number): number =>
  Math.min(8_000, 250 * 2 ** Math.min(count, 10)) * (0.5 + Math.random() / 2);

/** Not a moment earlier than it was asked for, and not all at that very moment. */
const notBefore = (ms: number): number => ms + 100 * Math.random();

export type Course = {
  /** How often it was sent again already. */
  readonly count: number;
  /** Sending it twice does no more than sending it once. */
  readonly isRepeatable: boolean;
  /** It carries an idempotency key. */
  readonly isKeyed: boolean;
  /** An earlier attempt may have arrived, though its answer did not. */
  readonly mayBeUnderWay?: boolean;
};

type Refused = { readonly status: number; readonly retryAfterMs: number | undefined };

/** How long to wait before it is sent again; undefined: not again. */
export function pauseAfter(course: Course, outcome: Refused | "lost"): number | undefined {
  if (outcome === "lost") return course.isRepeatable ? backOffMs(course.count) : undefined;
  const { status, retryAfterMs } = outcome;
  // Too many requests: refused before anything was done.
  const isSafe = course.isRepeatable || status === 429;
  if (!isSafe || !(passing.includes(status) || isOurOwn(course, outcome))) return undefined;
  if (retryAfterMs === undefined) return backOffMs(course.count);
  return retryAfterMs > longestMs ? undefined : notBefore(retryAfterMs);
}

/** A conflict under a key is the same request still under way: ours from before, or one that the service says will end. */
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
