// Sends requests to a service: headers, timeouts, retries, and responses as values or errors.
import type { Credential } from "./credential.ts";
import { isGood, noAnswer, readAnswer, refusal, type Answer } from "./http/answer.ts";
import { bodyOf, headersOf, mayBeRepeated, type Ask, type Question } from "./http/ask.ts";
import { attempt, type Letter, type Outcome } from "./http/attempt.ts";
import { orAborted } from "./http/deadline.ts";
import { addressOf, readOrigin } from "./http/service.ts";
import { traceHeaders, type Traceparent } from "./http/traceparent.ts";
import { pauseAfter, readRetryAfter, sleep, type Course } from "./retry.ts";

export type { Answer } from "./http/answer.ts";
export type { Ask } from "./http/ask.ts";

/** The address of a service, and how requests to it are sent. */
export type ConnectionOptions = {
  /** The address of the service, without a path. */
  readonly url: string;
  /** Replaces the global `fetch`, for tests, proxies and other runtimes. */
  readonly fetch?: typeof globalThis.fetch;
  /** How often an idempotent request is retried. Default: 3. */
  readonly retries?: number;
  /** Timeout of one attempt in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number;
  /**
   * The W3C `traceparent` of the current trace, or a function that returns it. The service then continues that trace: its
   * spans and log lines have the same trace id. A malformed value is not sent.
   */
  readonly traceparent?: string | (() => string | undefined);
};

export type HttpOptions = ConnectionOptions & { readonly credential?: Credential };

export type Http = <Body>(path: string, ask?: Ask) => Promise<Answer<Body>>;

export function makeHttp(options: HttpOptions): Http {
  const origin = readOrigin(options.url);
  return async <Body>(path: string, ask: Ask = {}): Promise<Answer<Body>> => {
    const { outcome, headers } = await carry(options, { origin, path, ask });
    const question = { origin, path, ask: { ...ask, headers } };
    if (outcome.status === "lost") throw noAnswer(outcome.why, question);
    if (!isGood(outcome, ask)) throw refusal(outcome, question);
    return readAnswer<Body>(outcome, question);
  };
}

type Carried = { readonly outcome: Outcome; readonly headers: Readonly<Record<string, string>> };

/** Sends the request until there is a final response or no retry is allowed. */
async function carry(options: HttpOptions, question: Question): Promise<Carried> {
  const { ask } = question;
  const { retries = 3, timeoutMs = 30_000, fetch = globalThis.fetch, credential } = meansFor(ask, options);
  let course: Course = {
    count: 0,
    isRepeatable: mayBeRepeated(ask),
    isKeyed: ask.idempotencyKey !== undefined,
  };
  for (let isRenewed = false; ;) {
    const letter = await write(question, credential, options.traceparent);
    const outcome = await attempt(letter, {
      fetch,
      signal: ask.signal,
      timeoutMs: ask.timeoutMs ?? timeoutMs,
    });
    if (outcome.status === 401 && !isRenewed && (await isRenewedAfter(letter, credential, ask.signal))) {
      isRenewed = true;
      continue;
    }
    const pause = course.count < retries ? pauseOf(course, outcome, ask) : undefined;
    if (pause === undefined) return { outcome, headers: Object.fromEntries(letter.headers) };
    course = {
      ...course,
      count: course.count + 1,
      // Unless it was rate limited, an earlier attempt may still be in progress.
      mayBeUnderWay: course.mayBeUnderWay === true || outcome.status !== 429,
    };
    await sleep(pause, ask.signal);
  }
}

/** A one-time request carries its own signature: it needs no credential and cannot be retried. */
function meansFor({ isOneTime = false }: Ask, options: HttpOptions): HttpOptions {
  const { credential: _, ...rest } = options;
  return isOneTime ? { ...rest, retries: 0 } : options;
}

const pauseOf = (course: Course, outcome: Outcome, ask: Ask): number | undefined => {
  if (outcome.status === "lost") return pauseAfter(course, "lost");
  if (isGood(outcome, ask)) return undefined;
  return pauseAfter(course, { status: outcome.status, retryAfterMs: readRetryAfter(outcome.headers) });
};

/** Built for each attempt, because the credential may have been refreshed. */
export async function write(
  { origin, path, ask }: Question,
  credential: Credential | undefined,
  traceparent?: Traceparent,
): Promise<Letter> {
  const proof = credential === undefined ? {} : await orAborted(credential.headers(), ask.signal);
  return {
    address: addressOf(origin, path, ask.query),
    method: ask.method ?? "GET",
    headers: headersOf(ask, { ...traceHeaders(traceparent), ...proof }),
    body: bodyOf(ask),
  };
}

export const isRenewedAfter = async (
  { headers }: Letter,
  credential: Credential | undefined,
  signal: AbortSignal | undefined,
): Promise<boolean> => credential !== undefined && orAborted(credential.renew(headers), signal);
