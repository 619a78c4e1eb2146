import type { Readable } from "node:stream";
import { z } from "zod";
import { anyOf, ok, route, type Route } from "@countersign/platform/http";
import type { Account } from "../accounts/index.ts";
import { apiKey } from "../api-keys/index.ts";
import { jwt } from "../sign-in/index.ts";
import { eventErrors } from "./errors.ts";
import { isCursor, type Cursor } from "./event.ts";
import type { LiveStreams } from "./live-streams.ts";

type Parts = {
  readonly openStream: (account: Account, after: Cursor | undefined) => Promise<Readable>;
  readonly streams: Pick<LiveStreams, "open">;
};

export const eventRoutes = ({ openStream, streams }: Parts): readonly Route[] => [
  route({
    method: "GET",
    path: "/events",
    summary: "Follow my transactions",
    description:
      "Server-sent events, one for each change of one of my transactions: {requestHash, version, event, status, phase, reason, needsOwner, at}. needsOwner is the code of the transaction's needsOwner, or null. To resume without gaps or repetition, send the id of the last event as Last-Event-ID. The stream ends within seconds of its credential being revoked, signed out or expired: reconnect with another one. The number of streams of an account is limited.",
    tag: "Events",
    auth: anyOf(jwt, apiKey("transactions:read:own")),
    replies: { 200: z.custom<Readable>().meta({ contentType: "text/event-stream" }) },
    refuses: [eventErrors.noAccount, eventErrors.badCursor, eventErrors.tooManyStreams],
    handle: async ({ caller, headers, stillHolds }) => {
      const { account } = caller;
      if (account === null) throw eventErrors.noAccount();
      const after = headers["last-event-id"];
      if (after !== undefined && (typeof after !== "string" || !isCursor(after)))
        throw eventErrors.badCursor();
      const stream = await streams.open({ account, stillHolds, open: () => openStream(account, after) });
      // The connection ends with the stream: to reconnect over it while this process stops would fail.
      return ok(stream, { "Cache-Control": "no-store", "X-Accel-Buffering": "no", Connection: "close" });
    },
  }),
];
