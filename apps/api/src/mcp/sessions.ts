import { randomUUID } from "node:crypto";
import { isId } from "@countersign/platform/ids";
import type { SessionSubscriptions } from "./build-server.ts";
import { mcpErrors } from "./errors.ts";
import type { Principal } from "./principal.ts";
import type { McpStore } from "./store.ts";
import type { Streams } from "./streams.ts";

/** A client that starts a session each time and never ends one keeps this many. */
const liveAtMost = 10;

/** Sessions of clients of the 2025 revisions. Each is a row, so any process may serve it and it survives a process. */
export type Sessions = {
  /** Returns the id of a new session. */
  readonly open: (principal: Principal, protocolVersion: string) => Promise<string>;
  /** Returns the subscriptions of an existing session. */
  readonly use: (header: unknown, principal: Principal) => Promise<SessionSubscriptions>;
  /** Makes a stream the session's only one. Returns the session's id. */
  readonly claimStream: (header: unknown, streamId: string, principal: Principal) => Promise<string>;
  readonly end: (header: unknown, principal: Principal) => Promise<void>;
};

type Parts = { readonly store: McpStore; readonly streams: Pick<Streams, "endOfSession"> };

/** Returns the session id in a request, whether or not the session exists. */
function namedBy(header: unknown): string {
  if (header === undefined) throw mcpErrors.sessionMissing();
  if (typeof header !== "string" || !isId(header)) throw mcpErrors.sessionUnknown();
  return header;
}

export function makeSessions({ store, streams }: Parts): Sessions {
  return {
    open: async ({ account, client }, protocolVersion) => {
      // Not one of our time-ordered ids: a credential is required as well, but the id should not be predictable.
      const id = randomUUID();
      await store.addSession({ id, protocolVersion, account, client }, liveAtMost);
      return id;
    },
    use: async (header, principal) => {
      const id = namedBy(header);
      if (!(await store.useSession(id, principal))) throw mcpErrors.sessionUnknown();
      return {
        subscribe: (requestHash) => store.subscribe(id, requestHash),
        unsubscribe: (requestHash) => store.unsubscribe(id, requestHash),
      };
    },
    claimStream: async (header, streamId, principal) => {
      const id = namedBy(header);
      if (!(await store.claimStream(id, streamId, principal))) throw mcpErrors.sessionUnknown();
      return id;
    },
    end: async (header, principal) => {
      const id = namedBy(header);
      if (!(await store.endSession(id, principal))) throw mcpErrors.sessionUnknown();
      streams.endOfSession(id);
    },
  };
}
