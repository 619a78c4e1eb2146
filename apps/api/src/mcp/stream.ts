import type { Readable } from "node:stream";
import { newId } from "@countersign/platform/ids";
import { isCursor, type AccountEvent, type Cursor, type FollowAccount } from "../events/index.ts";
import type { Principal } from "./principal.ts";
import { uriOf } from "./resource-uri.ts";
import type { Sessions } from "./sessions.ts";
import type { McpStore } from "./store.ts";
import type { Streams } from "./streams.ts";

type Parts = {
  readonly sessions: Pick<Sessions, "claimStream">;
  readonly store: Pick<McpStore, "findSubscribed">;
  readonly follow: FollowAccount;
  readonly streams: Pick<Streams, "add">;
};

type Asked = {
  readonly principal: Principal;
  readonly session: unknown;
  readonly lastEventId: unknown;
};

/** Opens the notification stream of a session, from its last event or from now. */
export type OpenSessionStream = (
  asked: Asked,
) => Promise<{ readonly sessionId: string; readonly stream: Readable }>;

/** An event's id is `<session>.<cursor>`. One of another session, or a forged one, is ignored. */
function cursorIn(lastEventId: unknown, sessionId: string): Cursor | undefined {
  if (typeof lastEventId !== "string" || !lastEventId.startsWith(`${sessionId}.`)) return undefined;
  const cursor = lastEventId.slice(sessionId.length + 1);
  return isCursor(cursor) ? cursor : undefined;
}

const updated = (sessionId: string, { cursor, requestHash }: AccountEvent): string => {
  const message = {
    jsonrpc: "2.0",
    method: "notifications/resources/updated",
    params: { uri: uriOf(requestHash) },
  };
  return `id: ${sessionId}.${cursor}\nevent: message\ndata: ${JSON.stringify(message)}\n\n`;
};

export const makeOpenSessionStream =
  ({ sessions, store, follow, streams }: Parts): OpenSessionStream =>
  async ({ principal, session, lastEventId }) => {
    const streamId = newId();
    const sessionId = await sessions.claimStream(session, streamId, principal);
    const stream = await follow({
      account: principal.account,
      after: cursorIn(lastEventId, sessionId),
      greet: (from) => `id: ${sessionId}.${from}\nretry: 3000\ndata: \n\n`,
      write: (event) => updated(sessionId, event),
      choose: async (events) => {
        const told = await store.findSubscribed(
          sessionId,
          events.map(({ requestHash }) => requestHash),
        );
        return events.filter(({ requestHash }) => told.has(requestHash));
      },
    });
    streams.add(stream, { streamId, sessionId, principal });
    return { sessionId, stream };
  };
