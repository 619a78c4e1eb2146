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

/** How one kind of client is told about events. */
type Telling = {
  readonly account: Account;
  /** The last event it has; without one it begins now. */
  readonly after: Cursor | undefined;
  /** What it is told first, and where it begins. */
  readonly greet: (from: Cursor) => string;
  readonly write: (event: AccountEvent) => string;
  /** Which of these it is told. Asked each time something happened. */
  readonly choose?: (events: readonly AccountEvent[]) => Promise<readonly AccountEvent[]>;
};

export type FollowAccount = (telling: Telling) => Promise<Readable>;

const batch = 500;

/** Order of two cursors, by number and not by letter. */
function isBeyond(a: Cursor, b: Cursor): boolean {
  const [[xidA = 0n, idA = 0n], [xidB = 0n, idB = 0n]] = [a, b].map((cursor) =>
    cursor.split("-").map(BigInt),
  ) as [bigint[], bigint[]];
  return xidA > xidB || (xidA === xidB && idA > idB);
}

/** Tells in order, and each event once. */
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

/** What happens to an account's transactions, from the given event on or from now, as server-sent events. */
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
      // Whoever could not be told comes back and is told then.
      if (waiting.length === 1) tellWaiting?.().catch(() => stream.destroy());
    });
    stream.once("close", listening.stop);
    try {
      // Asked for while we listen already: what comes after it is heard.
      const from = after ?? (await store.readHead());
      const tell = makeTeller(stream, telling, from);
      push(stream, greet(from));
      // What was missed first, then what came meanwhile, then what comes.
      if (after !== undefined) await tellMissed(store, account, { after, tell });
      tellWaiting = async () => {
        // What is being told stays until it is told, so that whatever comes meanwhile waits for it.
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

/** As the web has it: https://html.spec.whatwg.org/multipage/server-sent-events.html */
const written = ({ cursor, account: _, createdAt, ...event }: AccountEvent): string =>
  `id: ${cursor}\nevent: transaction\ndata: ${JSON.stringify({ ...event, at: createdAt.toISOString() })}\n\n`;

/** The stream of GET /events. */
export const makeOpenStream =
  (follow: FollowAccount) =>
  (account: Account, after: Cursor | undefined): Promise<Readable> =>
    // Where it begins, so that a break before the first event loses nothing.
    follow({ account, after, greet: (from) => `retry: 2000\nid: ${from}\n\n`, write: written });
