import { Readable } from "node:stream";
import type { Account } from "../accounts/index.ts";
import type { AccountEvent, Cursor } from "./event.ts";
import type { EventStore } from "./store.ts";
import type { Tail } from "./tail.ts";

type Parts = {
  readonly store: Pick<EventStore, "readHead" | "readOfAccountAfter">;
  readonly tail: Pick<Tail, "listen">;
  /** A line that says nothing, so that proxies keep an idle stream open. */
  readonly heartbeatMs: number;
};

const batch = 500;
/** A reader that falls this far behind is let go; it comes back with the last event it has. */
const mostBuffered = 1024 * 1024;

/** As the web has it: https://html.spec.whatwg.org/multipage/server-sent-events.html */
const written = ({ cursor, account: _, createdAt, ...event }: AccountEvent): string =>
  `id: ${cursor}\nevent: transaction\ndata: ${JSON.stringify({ ...event, at: createdAt.toISOString() })}\n\n`;

/** Order of two cursors, by number and not by letter. */
function isBeyond(a: Cursor, b: Cursor): boolean {
  const [[xidA = 0n, idA = 0n], [xidB = 0n, idB = 0n]] = [a, b].map((cursor) =>
    cursor.split("-").map(BigInt),
  ) as [bigint[], bigint[]];
  return xidA > xidB || (xidA === xidB && idA > idB);
}

/** What happens to an account's transactions, from the given event on or from now. */
export const makeOpenStream =
  ({ store, tail, heartbeatMs }: Parts) =>
  async (account: Account, after: Cursor | undefined): Promise<Readable> => {
    const stream = new Readable({ read: () => undefined });
    let last: Cursor = after ?? (await store.readHead());
    let waiting: AccountEvent[] | undefined = [];
    const send = (event: AccountEvent): void => {
      if (!isBeyond(event.cursor, last)) return;
      last = event.cursor;
      stream.push(written(event));
      if (stream.readableLength > mostBuffered) stream.destroy();
    };
    const listening = await tail.listen((event) => {
      if (event.account !== account) return;
      if (waiting === undefined) send(event);
      else waiting.push(event);
    });
    const heartbeat = setInterval(() => stream.push(": still here\n\n"), heartbeatMs);
    stream.once("close", () => {
      clearInterval(heartbeat);
      listening.stop();
    });
    stream.push("retry: 2000\n\n");
    // What was missed first, then what came meanwhile, then what comes.
    for (let missed; missed === undefined || missed.length === batch;) {
      missed = await store.readOfAccountAfter(account, last, batch);
      missed.forEach(send);
    }
    waiting.forEach(send);
    waiting = undefined;
    return stream;
  };
