import type { Readable } from "node:stream";
import type { Account } from "../accounts/index.ts";
import type { AccountEvent, Cursor } from "./event.ts";
import type { KeepAlive } from "./keep-alive.ts";
import { makePushed, push } from "./push.ts";
import type { EventStore } from "./store.ts";
import type { Tail } from "./tail.ts";

type Parts = {
  readonly store: Pick<EventStore, "readHead" | "readOfAccountAfter">;
  readonly tail: Pick<Tail, "listen">;
  readonly keepAlive: Pick<KeepAlive, "add">;
};

/** How one kind of client receives events. */
type Telling = {
  readonly account: Account;
  /** The last event it has. Without one, it starts now. */
  readonly after: Cursor | undefined;
  /** Writes the first text of the stream and the position where it starts. */
  readonly greet: (from: Cursor) => string;
  readonly write: (event: AccountEvent) => string;
  /** Selects the events to send. Called whenever something happened. */
  readonly choose?: (events: readonly AccountEvent[]) => Promise<readonly AccountEvent[]>;
};

export type FollowAccount = (telling: Telling) => Promise<Readable>;

const batch = 500;

/** Compares two cursors as numbers. */
function isBeyond(a: Cursor, b: Cursor): boolean {
  const [[xidA = 0n, idA = 0n], [xidB = 0n, idB = 0n]] = [a, b].map((cursor) =>
    cursor.split("-").map(BigInt),
  ) as [bigint[], bigint[]];
  return xidA > xidB || (xidA === xidB && idA > idB);
}

/** Sends events in order, each once. */
function makeTeller(stream: Readable, { write, choose }: Telling, from: Cursor) {
  let last = from;
  return async (events: readonly AccountEvent[]): Promise<Cursor> => {
    const fresh = events.filter(({ cursor }) => isBeyond(cursor, last));
    last = fresh.at(-1)?.cursor ?? last;
    if (fresh.length === 0) return last;
    for (const event of choose === undefined ? fresh : await choose(fresh)) push(stream, write(event));
    return last;
  };
}

async function tellMissed(
  store: Parts["store"],
  account: Account,
  { after, tell }: { readonly after: Cursor; readonly tell: ReturnType<typeof makeTeller> },
): Promise<void> {
  for (let missed, last = after; missed === undefined || missed.length === batch; last = await tell(missed))
    missed = await store.readOfAccountAfter(account, last, batch);
}

/** Follows an account's transactions as server-sent events, from the given event or from now. */
export const makeFollowAccount =
  ({ store, tail, keepAlive }: Parts): FollowAccount =>
  async (telling) => {
    const { account, after, greet } = telling;
    const stream = makePushed();
    const waiting: AccountEvent[] = [];
    let tellWaiting: (() => Promise<void>) | undefined;
    const listening = await tail.listen((event) => {
      if (event.account !== account) return;
      waiting.push(event);
      // A client that cannot be written to reconnects and gets the events then.
      if (waiting.length === 1) tellWaiting?.().catch(() => stream.destroy());
    });
    stream.once("close", listening.stop);
    try {
      // Read after listening has started, so that no later event is missed.
      const from = after ?? (await store.readHead());
      const tell = makeTeller(stream, telling, from);
      push(stream, greet(from));
      // First the missed events, then those that came in the meantime, then new ones.
      if (after !== undefined) await tellMissed(store, account, { after, tell });
      tellWaiting = async () => {
        // An event stays in the queue until it is sent, so that later ones wait for it.
        while (waiting.length > 0) {
          const next = waiting.slice();
          await tell(next);
          waiting.splice(0, next.length);
        }
      };
      await tellWaiting();
    } catch (error) {
      stream.destroy();
      throw error;
    }
    keepAlive.add(stream);
    return stream;
  };

/** The format of https://html.spec.whatwg.org/multipage/server-sent-events.html */
const written = ({ cursor, account: _, createdAt, ...event }: AccountEvent): string =>
  `id: ${cursor}\nevent: transaction\ndata: ${JSON.stringify({ ...event, at: createdAt.toISOString() })}\n\n`;

/** The stream of GET /events. */
export const makeOpenStream =
  (follow: FollowAccount) =>
  (account: Account, after: Cursor | undefined): Promise<Readable> =>
    // Sends the starting position, so that a disconnect before the first event loses nothing.
    follow({ account, after, greet: (from) => `retry: 2000\nid: ${from}\n\n`, write: written });
