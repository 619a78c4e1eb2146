import type { Readable } from "node:stream";
import type { Log } from "@countersign/platform/log";
import { startRounds, type Rounds } from "@countersign/platform/rounds";
import { endStream } from "../events/index.ts";
import type { Principal } from "./principal.ts";
import type { McpStore, Watched } from "./store.ts";

/** The open streams of this process, while they may stay open. */
export type Streams = {
  /** Ends the session's earlier stream: clients reconnect before they notice that they were disconnected. */
  readonly add: (stream: Readable, named: Named) => void;
  readonly endOfSession: (sessionId: string) => void;
  readonly close: () => Promise<void>;
};

type Named = {
  readonly streamId: string;
  /** Null for the 2026 revision. */
  readonly sessionId: string | null;
  readonly principal: Principal;
};
type Open = Watched & { readonly stream: Readable };

type Parts = {
  readonly store: Pick<McpStore, "findLiveStreams">;
  readonly log: Log;
  /** How often the streams are checked, in milliseconds. */
  readonly everyMs: number;
};

const credentialOf = ({ caller }: Principal): Pick<Watched, "grantId" | "keyId"> =>
  caller.scheme === "oauth"
    ? { grantId: caller.grantId, keyId: null }
    : { grantId: null, keyId: caller.keyId };

/** Each session's newest stream. */
function makeNewest() {
  const ofSession = new Map<string, Open>();
  return {
    /** Ends the older of two. Ids are in order of creation, whichever stream was ready first. */
    replace: (sessionId: string, entry: Open): void => {
      const other = ofSession.get(sessionId);
      const isLate = other !== undefined && other.streamId > entry.streamId;
      const [older, newer] = isLate ? [entry, other] : [other, entry];
      if (older !== undefined) endStream(older.stream);
      ofSession.set(sessionId, newer);
    },
    end: (sessionId: string): void => {
      const newest = ofSession.get(sessionId);
      if (newest !== undefined) endStream(newest.stream);
    },
    forget: (entry: Open): void => {
      if (entry.sessionId !== null && ofSession.get(entry.sessionId) === entry)
        ofSession.delete(entry.sessionId);
    },
  };
}

export function makeStreams({ store, log, everyMs }: Parts): Streams {
  const open = new Map<string, Open>();
  const newest = makeNewest();
  let rounds: Rounds | undefined;

  const endThoseThatMayNotStay = async (): Promise<void> => {
    const asked = [...open.values()];
    const live = await store.findLiveStreams(asked);
    for (const { stream, streamId } of asked) if (!live.has(streamId)) endStream(stream);
  };
  const startAsking = (): Rounds =>
    startRounds({
      everyMs,
      run: endThoseThatMayNotStay,
      onError: (error) => {
        log.warn("MCP streams not checked, retrying", { error });
      },
    });
  const forget = (entry: Open): void => {
    open.delete(entry.streamId);
    newest.forget(entry);
    if (open.size > 0) return;
    // Does not wait for the current round: there are no streams left that it could end.
    void rounds?.stop();
    rounds = undefined;
  };

  return {
    add: (stream, { streamId, sessionId, principal }) => {
      const entry = { stream, streamId, sessionId, ...credentialOf(principal) };
      if (sessionId !== null) newest.replace(sessionId, entry);
      open.set(streamId, entry);
      stream.once("close", () => {
        forget(entry);
      });
      rounds ??= startAsking();
    },
    endOfSession: newest.end,
    close: async () => {
      for (const { stream } of open.values()) endStream(stream);
      await rounds?.stop();
    },
  };
}
