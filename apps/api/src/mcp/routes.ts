import type { Readable } from "node:stream";
import { z } from "zod";
import { requestErrors } from "@countersign/platform/errors";
import { firstOf, ok, perIp, route, type Route } from "@countersign/platform/http";
import { apiKey } from "../api-keys/index.ts";
import { oauth } from "../oauth/index.ts";
import { makeAdmit } from "./admit.ts";
import { makeChallenge } from "./challenge.ts";
import { mcpErrors } from "./errors.ts";
import { findPrincipal } from "./find-principal.ts";
import type { Serve } from "./serve.ts";
import type { Sessions } from "./sessions.ts";
import type { OpenSessionStream } from "./stream.ts";
import { mcpSurface } from "./surface.ts";

type Parts = {
  readonly baseUrl: string;
  /** Origins of the pages that may call. */
  readonly origins: readonly string[];
  readonly serve: Pick<Serve, "post">;
  readonly openStream: OpenSessionStream;
  readonly sessions: Pick<Sessions, "end">;
  readonly perMinute: number;
};

const bodyLimitBytes = 1024 * 1024;

const Events = z.custom<Readable | string>().meta({ contentType: "text/event-stream" });
const Json = z.custom<Readable | string>().meta({ contentType: "application/json" });

/** Shared by the three routes. */
const common = ({ baseUrl, origins, perMinute }: Parts) =>
  ({
    path: "/mcp",
    tag: "MCP",
    // A token takes precedence over a key, without a fallback: clients send whatever they were configured with.
    auth: firstOf(oauth, apiKey()),
    limit: [perIp(perMinute)],
    cors: "any",
    surface: mcpSurface,
    admit: makeAdmit({ baseUrl, origins }),
    challenge: makeChallenge(baseUrl),
  }) as const;

/** A client's notifications and answers get an empty answer. */
const accepted = { status: 202, body: undefined } as const;

const refused = [mcpErrors.hostRefused, mcpErrors.originRefused, mcpErrors.serverKey] as const;

const post = (parts: Parts): Route =>
  route({
    ...common(parts),
    method: "POST",
    summary: "Send an MCP message",
    description:
      "One message of the Model Context Protocol, of the 2025 revisions (start with `initialize`, then send its Mcp-Session-Id) or of 2026-07-28. The tools are requestVerification, checkVerificationStatus and requestMandate.",
    body: z.unknown(),
    bodyLimitBytes,
    replies: { 200: Events, 202: z.undefined(), 400: Json, 403: Json, 404: Json, 406: Json },
    refuses: [
      ...refused,
      mcpErrors.sessionMissing,
      mcpErrors.sessionUnknown,
      requestErrors.bodyTooLarge,
      requestErrors.unsupportedMediaType,
    ],
    handle: async ({ body, caller, headers, ip }) => {
      const principal = findPrincipal(caller);
      const answer = await parts.serve.post({ principal, ip, headers, body });
      return answer.status === 202 ? accepted : { ...answer, status: answer.status };
    },
  });

const get = (parts: Parts): Route =>
  route({
    ...common(parts),
    method: "GET",
    summary: "Follow my MCP session",
    description:
      "Server-sent events for a session of the 2025 revisions: notifications/resources/updated for each change of a transaction that it proposed or subscribed to. A session has one stream: a new one replaces the old one. To resume, send the id of the last event as Last-Event-ID.",
    replies: { 200: Events },
    refuses: [...refused, mcpErrors.notAcceptable, mcpErrors.sessionMissing, mcpErrors.sessionUnknown],
    handle: async ({ caller, headers }) => {
      const principal = findPrincipal(caller);
      if (!String(headers["accept"]).includes("text/event-stream")) throw mcpErrors.notAcceptable();
      const { sessionId, stream } = await parts.openStream({
        principal,
        session: headers["mcp-session-id"],
        lastEventId: headers["last-event-id"],
      });
      return ok(stream, {
        "Cache-Control": "no-cache, no-transform",
        "Mcp-Session-Id": sessionId,
        "X-Accel-Buffering": "no",
      });
    },
  });

const remove = (parts: Parts): Route =>
  route({
    ...common(parts),
    method: "DELETE",
    summary: "End my MCP session",
    replies: { 204: z.undefined() },
    refuses: [...refused, mcpErrors.sessionMissing, mcpErrors.sessionUnknown],
    handle: async ({ caller, headers }) => {
      await parts.sessions.end(headers["mcp-session-id"], findPrincipal(caller));
      return { status: 204 as const, body: undefined };
    },
  });

export const mcpRoutes = (parts: Parts): readonly Route[] => [post(parts), get(parts), remove(parts)];
