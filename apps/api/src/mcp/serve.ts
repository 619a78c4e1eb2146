import {
  createMcpHandler,
  isLegacyRequest,
  legacyStatelessFallback,
  type AuthInfo,
  type ServerEventBus,
} from "@modelcontextprotocol/server";
import { requestErrors } from "@countersign/platform/errors";
import { newId } from "@countersign/platform/ids";
import type { KeepAlive, Tail } from "../events/index.ts";
import type { BuildServer } from "./build-server.ts";
import { metadataUrlOf } from "./challenge.ts";
import { isListen, makeFilterListen } from "./filter-listen.ts";
import type { MayRead } from "./may-read.ts";
import type { Principal } from "./principal.ts";
import { relay, type Relayed } from "./relay.ts";
import type { Sessions } from "./sessions.ts";
import type { Streams } from "./streams.ts";

type Parts = {
  readonly baseUrl: string;
  readonly buildServer: BuildServer;
  readonly mayRead: MayRead;
  readonly sessions: Pick<Sessions, "open" | "use">;
  readonly streams: Pick<Streams, "add">;
  readonly keepAlive: Pick<KeepAlive, "add">;
  readonly tail: Pick<Tail, "listen">;
  readonly bus: ServerEventBus;
  /** Maximum number of open `subscriptions/listen` in this process. */
  readonly listenersAtMost: number;
};

type Message = {
  readonly principal: Principal;
  readonly ip: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: unknown;
};

export type Serve = {
  readonly post: (message: Message) => Promise<Relayed>;
  readonly close: () => Promise<void>;
};

const acceptsBoth = "application/json, text/event-stream";

/** The request for the SDK, with MCP headers only: no credential goes further than this. */
function requestOf({ headers }: Message, url: string): Request {
  const { accept = "*/*" } = headers;
  const own = Object.entries(headers).flatMap(([name, value]) =>
    name.startsWith("mcp-") && typeof value === "string" ? [[name, value] as [string, string]] : [],
  );
  // No Accept header, or a wildcard, means both.
  const accepted = typeof accept === "string" && !accept.includes("*/*") ? accept : acceptsBoth;
  return new Request(url, {
    method: "POST",
    headers: [...own, ["accept", accepted], ["content-type", "application/json"]],
  });
}

/** The SDK passes this on to the tools. The scopes of a key count like those of a token. */
const authInfoOf = ({ principal, ip }: Message, baseUrl: string): AuthInfo => ({
  token: "",
  clientId: principal.client,
  scopes: [...principal.caller.scopes],
  resourceMetadataUrl: metadataUrlOf(baseUrl),
  extra: { principal, ip },
});

/** Returns the negotiated version, or undefined if initialize failed. The answer is one event. */
function agreedVersion(text: string): string | undefined {
  const [, data = "{}"] = /^data: (.+)$/m.exec(text) ?? [];
  const { result } = JSON.parse(data) as { readonly result?: { readonly protocolVersion?: string } };
  return result?.protocolVersion;
}

const isInitialize = (body: unknown): boolean =>
  typeof body === "object" && body !== null && "method" in body && body.method === "initialize";

/** Messages of the 2025 revisions. Each is answered by its own server instance; lasting state is in the database. */
function makeServeLegacy({ baseUrl, buildServer, sessions }: Parts) {
  return async (message: Message, request: Request): Promise<Relayed> => {
    const { principal, ip, headers, body } = message;
    const options = { authInfo: authInfoOf(message, baseUrl), parsedBody: body };
    if (!isInitialize(body)) {
      const session = await sessions.use(headers["mcp-session-id"], principal);
      return relay(
        await legacyStatelessFallback(() => buildServer({ principal, ip, session }))(request, options),
      );
    }
    // A client that initializes again abandons the session it names.
    const response = await legacyStatelessFallback(() => buildServer({ principal, ip, session: undefined }))(
      request,
      options,
    );
    if (response.status !== 200) return relay(response);
    const text = await response.text();
    const protocolVersion = agreedVersion(text);
    const answer = await relay(new Response(text, response));
    if (protocolVersion === undefined) return { ...answer, body: text };
    const sessionId = await sessions.open(principal, protocolVersion);
    return { ...answer, body: text, headers: { ...answer.headers, "Mcp-Session-Id": sessionId } };
  };
}

/** Messages of the 2026 revision, which has no sessions. */
function makeServeModern(parts: Parts) {
  const { baseUrl, buildServer, bus, tail, streams, keepAlive } = parts;
  const filterListen = makeFilterListen(parts.mayRead);
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const { principal, ip } = authInfo?.extra as Pick<Message, "principal" | "ip">;
      return buildServer({ principal, ip, session: undefined });
    },
    // One timer keeps all streams alive, not one each.
    { legacy: "reject", bus, keepAliveMs: 0, maxSubscriptions: parts.listenersAtMost },
  );
  const answer = async (message: Message, request: Request): Promise<Relayed> =>
    relay(await handler.fetch(request, { authInfo: authInfoOf(message, baseUrl), parsedBody: message.body }));
  const listen = async (message: Message, request: Request): Promise<Relayed> => {
    const body = await filterListen(message.body, message.principal);
    // Listening starts before the stream is acknowledged, so that it misses nothing from then on.
    const listening = await tail.listen(() => undefined);
    try {
      const answered = await answer({ ...message, body }, request);
      if (typeof answered.body !== "string") {
        keepAlive.add(answered.body);
        streams.add(answered.body, { streamId: newId(), sessionId: null, principal: message.principal });
      }
      return answered;
    } finally {
      listening.stop();
    }
  };
  return {
    serve: (message: Message, request: Request) =>
      isListen(message.body) ? listen(message, request) : answer(message, request),
    close: handler.close,
  };
}

/** One address for clients of both eras. The SDK distinguishes them. */
export function makeServe(parts: Parts): Serve {
  const serveLegacy = makeServeLegacy(parts);
  const modern = makeServeModern(parts);
  return {
    post: async (message) => {
      if (message.body === undefined) throw requestErrors.invalid({ message: "The body is not valid JSON" });
      const request = requestOf(message, `${parts.baseUrl}/mcp`);
      return (await isLegacyRequest(request, message.body))
        ? serveLegacy(message, request)
        : modern.serve(message, request);
    },
    close: modern.close,
  };
}
