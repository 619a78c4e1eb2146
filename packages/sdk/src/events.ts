// Streams changes of an account's transactions. Reconnects after a lost connection and resumes after the last event.
import { ApiError, CountersignError, isPassing } from "./errors.ts";
import type { HttpOptions } from "./http.ts";
import { noAnswer } from "./http/answer.ts";
import { reasonOf } from "./http/attempt.ts";
import { makeDeadline } from "./http/deadline.ts";
import { openAnswer } from "./http/open-answer.ts";
import { readOrigin } from "./http/service.ts";
import type { RequestOptions } from "./options.ts";
import { backOffMs, sleep } from "./retry.ts";
import { makeSentReader, type Sent } from "./server-sent.ts";
import type { Hex, Phase, Status } from "./types.ts";

/** One change of a transaction. */
export type TransactionEvent = {
  /** Store it and pass it as `after` to resume from here. */
  readonly id: string;
  readonly requestHash: Hex;
  /** The transaction's version after this change. */
  readonly version: number;
  /** The name of the change. */
  readonly event: string;
  readonly status: Status;
  readonly phase: Phase;
  readonly reason: string | null;
  /** The code of `needsOwner` of the transaction. Null if it could not have been approved without its owner, or was. */
  readonly needsOwner: string | null;
  readonly at: string;
};

/** Options of `events`. */
export type EventsOptions = RequestOptions & {
  /** The id of the last known event. The stream resumes after it without a gap. Default: only new events. */
  readonly after?: string;
  /** Milliseconds without data before it reconnects. Default: 60,000; the service sends a heartbeat every 15 seconds. */
  readonly silentMs?: number;
  /** Called with true when the connection opens and with false when it is lost. */
  readonly onConnection?: (isOpen: boolean) => void;
};

/**
 * Streams events until you `break`, or rejects with the signal's reason.
 *
 * @example
 * for await (const { requestHash, status } of countersign.events()) console.log(requestHash, status);
 */
export type Events = (options?: EventsOptions) => AsyncIterable<TransactionEvent>;

type Place = {
  id: string | undefined;
  retryMs: number;
  /** Since the last data. */
  failures: number;
  hasStood: boolean;
};

/** The first connection must succeed. After that, temporary errors cause a reconnect. */
export const makeEvents = (options: HttpOptions): Events =>
  async function* events({ signal, after, silentMs = 60_000, onConnection } = {}) {
    const place: Place = { id: after, retryMs: 0, failures: 0, hasStood: false };
    for (;;) {
      try {
        yield* listenOnce(options, place, { signal, silentMs, onConnection });
      } catch (error) {
        signal?.throwIfAborted();
        if (!place.hasStood || !isPassing(error)) throw error;
        if (error instanceof ApiError) place.retryMs = Math.max(place.retryMs, error.retryAfterMs ?? 0);
      }
      onConnection?.(false);
      await sleep(Math.max(place.retryMs, backOffMs(place.failures++)), signal);
    }
  };

type Listening = {
  readonly onConnection: EventsOptions["onConnection"] | undefined;
  readonly signal: AbortSignal | undefined;
  readonly silentMs: number;
};

/** Ignores events of unknown kinds, which a newer service may send. */
function noted({ id, event, data, retryMs }: Sent, place: Place): TransactionEvent | undefined {
  place.hasStood = true;
  place.failures = 0;
  place.id = id ?? place.id;
  place.retryMs = retryMs ?? place.retryMs;
  if (event !== "transaction" || data === undefined) return undefined;
  return { id: place.id ?? "", ...(JSON.parse(data) as Omit<TransactionEvent, "id">) };
}

async function* listenOnce(
  options: HttpOptions,
  place: Place,
  { signal, silentMs, onConnection }: Listening,
): AsyncGenerator<TransactionEvent> {
  const { id } = place;
  const headers = { accept: "text/event-stream", ...(id === undefined ? {} : { "last-event-id": id }) };
  const question = { origin: readOrigin(options.url), path: "/events", ask: { headers, signal } };
  const deadline = makeDeadline(options.timeoutMs ?? silentMs, signal);
  try {
    const response = await openAnswer(options, question, deadline.signal);
    onConnection?.(true);
    const onSign = (): void => {
      deadline.restart(silentMs);
    };
    for await (const block of blocksOf(response, onSign)) {
      const event = noted(block, place);
      if (event !== undefined) yield event;
    }
  } catch (error) {
    if (error instanceof CountersignError) throw error;
    throw noAnswer(deadline.isLate() ? "the stream went silent" : reasonOf(error), question);
  } finally {
    deadline.end();
  }
}

async function* blocksOf({ body }: Response, onSign: () => void): AsyncGenerator<Sent> {
  if (body === null) return;
  onSign();
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  const read = makeSentReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onSign();
      yield* read(decoder.decode(value, { stream: true }));
    }
  } finally {
    // Close the connection when the consumer stops.
    await reader.cancel().catch(() => undefined);
  }
}
