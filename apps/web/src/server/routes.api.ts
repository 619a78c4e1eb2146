import type { Readable } from "node:stream";
import { constants } from "node:zlib";
import { requestErrors } from "@countersign/platform/errors";
import { spanOf } from "@countersign/platform/http";
import { writeTraceparent } from "@countersign/platform/trace";
import compress, { type FastifyCompressOptions } from "@fastify/compress";
import replyFrom from "@fastify/reply-from";
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { allowedCalls, type AllowedCall } from "./allowed.ts";
import { browserMarkIn, type Cookies } from "./cookies.ts";
import { webErrors } from "./errors.ts";
import { checkIsOwnPage } from "./own-page.ts";
import { callerOf } from "./routes.session.ts";
import type { Sessions } from "./sessions.ts";

type Headers = FastifyRequest["headers"];
type Parts = { readonly apiUrl: string; readonly sessions: Sessions; readonly cookies: Cookies };

const prefix = "/api";

/** Longer than the main service's longest poll. */
const patienceMs = 65_000;

/** Request headers that are passed on. Credentials are added here. */
const carried = new Set([
  "accept",
  "content-length",
  "content-type",
  "idempotency-key",
  "if-none-match",
  "last-event-id",
  "prefer",
  "user-agent",
]);
const isCarried = (name: string): boolean => carried.has(name) || name.startsWith("x-ethereum-");

/** Response headers that are passed on. Cookies and browser policies belong to another origin. */
const returned = new Set([
  "cache-control",
  "content-length",
  "content-type",
  "etag",
  "idempotent-replayed",
  "link",
  "retry-after",
  "x-accel-buffering",
  "x-error-code",
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
]);

const only = (headers: Headers, isKept: (name: string) => boolean): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => isKept(name)));

/** Characters allowed in parameters, which rule out path traversal. */
const plain = /^[\w-]{1,128}$/;

function checkPath({ url, params }: FastifyRequest): void {
  const isPlain = Object.values(params as Record<string, string>).every((value) => plain.test(value));
  if (!isPlain || !url.startsWith(prefix)) throw webErrors.notCarried();
}

/** The main service accepts a session too, so the rule for pages is here. */
function checkSigned({ needsSignature }: AllowedCall, { body, headers }: FastifyRequest): void {
  if (needsSignature === undefined || headers["x-ethereum-signature"] !== undefined) return;
  if (needsSignature(Buffer.isBuffer(body) ? body : Buffer.alloc(0))) throw webErrors.unsigned();
}

/**
 * Compresses long, repetitive responses. Never a response with a secret, whose compressed length could leak it (BREACH), and
 * never a stream.
 */
const isCompressed = ({ method, open, endless }: AllowedCall): boolean =>
  (method === "GET" || open === true) && endless !== true;
const compression = {
  global: false,
  // Request bodies are never decompressed.
  globalDecompression: false,
  encodings: ["br", "gzip"],
  threshold: 1024,
  customTypes: /^application\/json/,
  // Prefers speed over size, since every response is compressed on the fly.
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } },
} as const satisfies FastifyCompressOptions;

/** Converts `/transactions/{requestHash}` to the framework's syntax. */
const frameworkPath = (path: string): string => path.replace(/\{(\w+)\}/g, ":$1");

/** Proxies API calls of pages, with the session that the page cannot read. */
export const carryCalls = ({ apiUrl, sessions, cookies }: Parts): FastifyPluginAsync => {
  const { origin, pathname } = new URL(apiUrl);
  const basePath = pathname.replace(/\/$/, "");
  const endless = new Set<Readable>();

  /** Adds the token if the call needs one. The response may carry renewed cookies. */
  const tokenFor = async (
    call: AllowedCall,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<string | undefined> => {
    // The signature identifies the caller; the service rejects two credentials.
    if (call.open === true || request.headers["x-ethereum-signature"] !== undefined) return undefined;
    const session = await sessions.open(cookies.read(request.headers.cookie), callerOf(request));
    if (session.kind === "none") return undefined;
    if (session.kind === "refused") {
      reply.header("set-cookie", cookies.forget);
      throw requestErrors.unauthenticated();
    }
    if (session.isNew) reply.header("set-cookie", cookies.keep(session.pair));
    return session.pair.accessToken;
  };

  const forwarded = (call: AllowedCall, request: FastifyRequest, token: string | undefined) => {
    const mark = call.marked === true ? browserMarkIn(request.headers.cookie) : undefined;
    return (headers: Headers): Headers => ({
      ...only(headers, isCarried),
      "x-forwarded-for": request.ip,
      "x-request-id": request.id,
      ...(request.span === undefined ? {} : { traceparent: writeTraceparent(request.span.context) }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(mark === undefined ? {} : { cookie: mark }),
    });
  };

  /** Streams to the page until either side closes. */
  const stream = (reply: FastifyReply, source: Readable): void => {
    endless.add(source);
    source.once("close", () => endless.delete(source));
    void reply.send(source);
    // Flushes headers so that the page knows it is connected.
    reply.raw.flushHeaders();
  };

  const carry = async (call: AllowedCall, request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    // A page's own trace is not continued: the server cannot know who made it.
    spanOf(request, reply, { isTrusted: false });
    checkPath(request);
    checkSigned(call, request);
    const rewrite = forwarded(call, request, await tokenFor(call, request, reply));
    const [path = ""] = request.url.slice(prefix.length).split("?");
    return reply.from(`${basePath}${path === "" ? "/" : path}`, {
      timeout: call.endless === true ? 0 : patienceMs,
      ...(Buffer.isBuffer(request.body) ? { body: request.body, contentType: "application/json" } : {}),
      // No retry here: the page decides.
      retryDelay: () => null,
      rewriteRequestHeaders: (_request, headers) => rewrite(headers),
      rewriteHeaders: (headers) => only(headers, (name) => returned.has(name)),
      ...(call.endless === true
        ? {
            onResponse: (_request, _reply, { stream: source }) => {
              stream(reply, source);
            },
          }
        : {}),
      onError: (answer, { error }) => {
        void answer.send(webErrors.apiUnavailable({ cause: error }));
      },
    });
  };

  return async (scope) => {
    await scope.register(compress, compression);
    await scope.register(replyFrom, { base: origin, disableCache: true, destroyAgent: true });
    scope.addHook("onRequest", async (request) => {
      checkIsOwnPage(request.headers);
    });
    scope.addHook("preClose", async () => {
      for (const source of endless) source.destroy();
    });
    for (const call of allowedCalls)
      scope.route({
        method: call.method,
        url: frameworkPath(call.path),
        ...(isCompressed(call) ? { compress: {} } : {}),
        handler: (request, reply) => carry(call, request, reply),
      });
    scope.all("/*", () => {
      throw webErrors.notCarried();
    });
  };
};
