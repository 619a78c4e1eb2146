import type { Readable } from "node:stream";
import type { Log } from "@countersign/platform/log";
import { startRounds, type Rounds } from "@countersign/platform/rounds";
import type { Account } from "../accounts/index.ts";
import { eventErrors } from "./errors.ts";
import { end } from "./push.ts";

/** The streams of this process, which stay open only while their credentials are valid. */
export type LiveStreams = {
  /**
   * Opens a stream and ends it within one round of its credential becoming invalid. Rejects with 429 if the
   * account already has the maximum number of open streams in this process.
   */
  readonly open: (given: {
    readonly account: Account;
    readonly stillHolds: () => Promise<boolean>;
    readonly open: () => Promise<Readable>;
  }) => Promise<Readable>;
  readonly close: () => Promise<void>;
};

type Parts = {
  readonly log: Log;
  /** How often credentials are checked again, in milliseconds. */
  readonly everyMs: number;
  readonly perAccount: number;
};

const retryAfterSeconds = 30;

/** Counts streams per account from before they open until they close. */
function makePlaces(perAccount: number) {
  const taken = new Map<Account, number>();
  return {
    take: (account: Account): void => {
      const count = taken.get(account) ?? 0;
      if (count >= perAccount)
        throw eventErrors.tooManyStreams({ headers: { "Retry-After": String(retryAfterSeconds) } });
      taken.set(account, count + 1);
    },
    free: (account: Account): void => {
      const count = (taken.get(account) ?? 1) - 1;
      if (count === 0) taken.delete(account);
      else taken.set(account, count);
    },
  };
}

export function makeLiveStreams({ log, everyMs, perAccount }: Parts): LiveStreams {
  const places = makePlaces(perAccount);
  const streams = new Map<Readable, () => Promise<boolean>>();
  let rounds: Rounds | undefined;

  const check = async (stream: Readable, stillHolds: () => Promise<boolean>): Promise<void> => {
    try {
      if (!(await stillHolds())) end(stream);
    } catch (error) {
      // The database is down, so there are no events either. The next round checks again.
      log.warn("event stream credential not checked", { error });
    }
  };
  const checkAll = (): Promise<unknown> =>
    Promise.all(Array.from(streams, ([stream, stillHolds]) => check(stream, stillHolds)));
  const add = (stream: Readable, account: Account, stillHolds: () => Promise<boolean>): void => {
    streams.set(stream, stillHolds);
    stream.once("close", () => {
      places.free(account);
      streams.delete(stream);
      if (streams.size > 0) return;
      void rounds?.stop();
      rounds = undefined;
    });
    rounds ??= startRounds({
      everyMs,
      run: checkAll,
      onError: (error) => {
        log.warn("event streams not checked", { error });
      },
    });
  };

  return {
    open: async ({ account, stillHolds, open }) => {
      places.take(account);
      try {
        const stream = await open();
        add(stream, account, stillHolds);
        return stream;
      } catch (error) {
        places.free(account);
        throw error;
      }
    },
    close: async () => {
      for (const stream of streams.keys()) end(stream);
      await rounds?.stop();
    },
  };
}
