// Waiting for something to become of a proposal: the service holds the answer back until there is news, and where it
// does not, the questions come further and further apart.
import { isPassing, WaitTimeoutError } from "./errors.ts";
import type { Http } from "./http.ts";
import { makeDeadline } from "./http/deadline.ts";
import { backOffMs, readRetryAfter, sleep } from "./retry.ts";
import { pathOf } from "./transaction-path.ts";
import type { TransactionView } from "./types.ts";

export type WaitOptions = {
  /** After this a WaitTimeoutError; what was proposed goes on. Ten minutes, unless it is said. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Each time that something has changed, the first look included. */
  readonly onProgress?: (transaction: TransactionView) => void;
};

/** How long the service may hold an answer back. */
const heldSeconds = 25;
/** An answer that came sooner was not held back. */
const soonMs = 1_000;

type IsDone = (transaction: TransactionView) => boolean;
type Watch = { seen: TransactionView | undefined; trouble: Error | undefined };

/** Looks until `isDone`. */
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
  /** True if it was not so before. */
  readonly note: (transaction: TransactionView) => boolean;
  readonly isDone: IsDone;
};

async function follow(looks: Looks, { watch, note, isDone }: Following): Promise<TransactionView> {
  let known: string | undefined;
  for (let idle = 0; ;) {
    // That it cannot be looked at in the first place is an error; that it cannot any more will pass.
    const round = () => looks.round(known);
    const found = watch.seen === undefined ? await round() : await patiently(round, watch, looks.signal);
    const isChanged = found.transaction !== undefined && note(found.transaction);
    if (found.transaction !== undefined && isDone(found.transaction)) return found.transaction;
    const isNews = found.etag === undefined ? isChanged : found.etag !== known;
    known = found.etag;
    idle = isNews ? 0 : idle + 1;
    // Held back, and so it will be the next time.
    if (!found.isSoon) continue;
    await sleep(isNews ? backOffMs(0) : Math.max(backOffMs(idle), found.retryAfterMs ?? 0), looks.signal);
  }
}

type Found = {
  /** Undefined: as it was. */
  readonly transaction: TransactionView | undefined;
  readonly etag: string | undefined;
  readonly isSoon: boolean;
  readonly retryAfterMs: number | undefined;
};

type Looks = { readonly signal: AbortSignal; readonly round: (known: string | undefined) => Promise<Found> };

/** The state is asked for first, then the transaction: so it is never older than the state that is waited upon. */
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

/** Whatever passes does not end the wait: what was proposed goes on in any case, and there is a time set for it. */
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
