import type { Log } from "@countersign/platform/log";
import { startRounds, type Rounds } from "@countersign/platform/rounds";
import type { AccountEvent, Cursor } from "./event.ts";
import type { EventStore } from "./store.ts";

type Listener = (event: AccountEvent) => void;

/** Follows the events of all accounts while this process has listeners, with one query for all of them. */
export type Tail = {
  /** Delivers every event from the moment this resolves. */
  readonly listen: (listener: Listener) => Promise<{ readonly stop: () => void }>;
  /** Something was just committed here: query now instead of waiting for the next round. */
  readonly poke: () => void;
  readonly close: () => void;
};

type Parts = {
  readonly store: Pick<EventStore, "readHead" | "readAfter">;
  readonly log: Log;
  /** How often other processes' events are queried, in milliseconds. */
  readonly everyMs: number;
};

const batch = 500;

/** The tail's position. Undefined while there are no listeners. */
type Place = { cursor: Promise<Cursor> | undefined };

/** After the last listener has left, the next one starts from the current position. */
async function readOn(
  place: Place,
  readAfter: EventStore["readAfter"],
  { signal, tell }: { readonly signal: AbortSignal; readonly tell: Listener },
): Promise<void> {
  for (let found = batch; found === batch && place.cursor !== undefined;) {
    const events = await readAfter(await place.cursor, batch);
    const last = events.at(-1);
    if (last === undefined || signal.aborted) return;
    place.cursor = Promise.resolve(last.cursor);
    events.forEach(tell);
    found = events.length;
  }
}

export function makeTail({ store, log, everyMs }: Parts): Tail {
  const listeners = new Set<Listener>();
  const place: Place = { cursor: undefined };
  let rounds: Rounds | undefined;
  const tell: Listener = (event) => {
    for (const listener of listeners) listener(event);
  };

  const startReading = (): Rounds =>
    startRounds({
      everyMs,
      run: (signal) => readOn(place, store.readAfter, { signal, tell }),
      onError: (error) => {
        log.warn("events not read, retrying", { error });
      },
    });
  const leave = (listener: Listener): void => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    void rounds?.stop();
    [rounds, place.cursor] = [undefined, undefined];
  };

  return {
    poke: () => {
      rounds?.goNow();
    },
    listen: async (listener) => {
      listeners.add(listener);
      try {
        place.cursor ??= store.readHead();
        await place.cursor;
      } catch (error) {
        place.cursor = undefined;
        leave(listener);
        throw error;
      }
      if (listeners.has(listener)) rounds ??= startReading();
      return {
        stop: () => {
          leave(listener);
        },
      };
    },
    close: () => {
      listeners.forEach(leave);
    },
  };
}
