// Waits for a proposal to change, by long polling. If the service responds at once instead, it polls with backoff.
import { isPassing, WaitTimeoutError } from "./errors.ts";
import type { Http } from "./http.ts";
import { makeDeadline } from "./http/deadline.ts";
import { backOffMs, readRetryAfter, sleep } from "./retry.ts";
import { pathOf } from "./transaction-path.ts";
import type { TransactionView } from "./types.ts";

/** Options of `waitForVerdict` and `waitForStatus`. */
export type WaitOptions = {
  /** Milliseconds before a WaitTimeoutError. The proposal stays active. Default: 600,000. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Called with the first state and after each change. */
  readonly onProgress?: (transaction: TransactionView) => void;
};

/** The duration of a long poll. */
const heldSeconds = 25;
/** A response that is faster than this was not a long poll. */
const soonMs = 1_000;

type IsDone = (transaction: TransactionView) => boolean;
type Watch = { seen: TransactionView | undefined; trouble: Error | undefined };

/** Polls until `isDone`. */
export async function waitUntil(
  http: Http,
  requestHash: string,
  isDone: IsDone,
  { timeoutMs = 600_000, signal, onProgress }: WaitOptions,
): Promise<TransactionView> {
  const deadline = makeDeadline(timeoutMs, signal);
  const watch: Watch = { seen: undefined, trouble: undefined };
  const note = (transaction: TransactionView): boolean => {
    const isChanged = JSON.stringify(transaction) !== JSON.stringify(watch.seen);
    watch.seen = transaction;
    if (isChanged) onProgress?.(transaction);
    return isChanged;
  };
  try {
    return await follow(makeLooks(http, requestHash, deadline.signal), { watch, note, isDone });
  } catch (error) {
    signal?.throwIfAborted();
    if (deadline.isLate()) throw new WaitTimeoutError(timeoutText(requestHash, watch, timeoutMs), watch.seen);
    throw error;
  } finally {
    deadline.end();
  }
}

type Following = {
  readonly watch: Watch;
  /** Returns true if the transaction changed. */
  readonly note: (transaction: TransactionView) => boolean;
  readonly isDone: IsDone;
};

async function follow(looks: Looks, { watch, note, isDone }: Following): Promise<TransactionView> {
  let known: string | undefined;
  for (let idle = 0; ;) {
    // If the first request fails, the error is thrown. Later temporary errors are retried.
    const round = () => looks.round(known);
    const found = watch.seen === undefined ? await round() : await patiently(round, watch, looks.signal);
    const isChanged = found.transaction !== undefined && note(found.transaction);
    if (found.transaction !== undefined && isDone(found.transaction)) return found.transaction;
    const isNews = found.etag === undefined ? isChanged : found.etag !== known;
    known = found.etag;
    idle = isNews ? 0 : idle + 1;
    // It was a long poll, so the next request can follow at once.
    if (!found.isSoon) continue;
    await sleep(isNews ? backOffMs(0) : Math.max(backOffMs(idle), found.retryAfterMs ?? 0), looks.signal);
  }
}

type Found = {
  /** Undefined if unchanged. */
  readonly transaction: TransactionView | undefined;
  readonly etag: string | undefined;
  readonly isSoon: boolean;
  readonly retryAfterMs: number | undefined;
};

type Looks = { readonly signal: AbortSignal; readonly round: (known: string | undefined) => Promise<Found> };

/** Requests the status first, then the transaction, so that the transaction is never older than its ETag. */
const makeLooks = (http: Http, requestHash: string, signal: AbortSignal): Looks => ({
  signal,
  round: async (known) => {
    const path = pathOf(requestHash);
    const began = Date.now();
    const { status, headers } = await http(pathOf(requestHash, "/approval-status"), {
      signal,
      accept: [304],
      timeoutMs: (heldSeconds + 15) * 1000,
      headers: known === undefined ? {} : { prefer: `wait=${heldSeconds}`, "if-none-match": known },
    });
    const isSoon = Date.now() - began < soonMs;
    const transaction = status === 304 ? undefined : (await http<TransactionView>(path, { signal })).body;
    return {
      ...{ transaction, isSoon },
      etag: headers.get("etag") ?? undefined,
      retryAfterMs: readRetryAfter(headers),
    };
  },
});

/** Retries temporary errors. The caller's timeout ends the wait. */
async function patiently<Value>(
  ask: () => Promise<Value>,
  watch: Watch,
  signal: AbortSignal,
): Promise<Value> {
  for (let count = 2; ; count++)
    try {
      const value = await ask();
      watch.trouble = undefined;
      return value;
    } catch (error) {
      signal.throwIfAborted();
      if (!isPassing(error)) throw error;
      watch.trouble = error;
      const retryAfterMs = "retryAfterMs" in error ? (error.retryAfterMs ?? 0) : 0;
      await sleep(Math.max(backOffMs(count), retryAfterMs), signal);
    }
}

function timeoutText(requestHash: string, { seen, trouble }: Watch, timeoutMs: number): string {
  const state = seen === undefined ? "was not seen" : `is still ${seen.phase}`;
  const why = trouble === undefined ? "" : ` (last: ${trouble.message})`;
  return `${requestHash} ${state} after ${timeoutMs / 1000} s${why}`;
}
