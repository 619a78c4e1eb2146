import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { requestErrors, type Surface } from "../errors/index.ts";
import { identifyCaller, type Authenticator, type Caller } from "./auth.ts";
import { checkText } from "./check-text.ts";
import { keyOf, limitHeaders, type Limiter, type LimitState } from "./limit.ts";
import { parseInput } from "./parse-input.ts";
import { contentTypeOf, frameworkPath, type Route } from "./route.ts";

type Parts = {
  readonly surface: Surface;
  readonly authenticators: readonly Authenticator[];
  readonly limiter: Limiter;
};

/** What is learned about a request on its way to the handler. */
type Passage = { caller: Caller | undefined; readonly limits: LimitState[] };

/** The header shows the limit with the fewest requests left: that is the one the caller will meet. */
function showTightest(reply: FastifyReply, states: readonly LimitState[]): void {
  const [tightest] = [...states].sort((a, b) => a.remaining - b.remaining);
  if (tightest !== undefined) reply.headers(limitHeaders(tightest));
}

const credentialHeaders = new Set([
  "authorization",
  "x-api-key",
  "x-ethereum-address",
  "x-ethereum-signature",
]);

/** Of a header that is sent twice, Node keeps the first and a proxy before us may have read the second. */
function isRepeated(rawHeaders: readonly string[]): boolean {
  const seen = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  return seen.some((name, index) => credentialHeaders.has(name) && seen.indexOf(name) !== index);
}

function makeGate(route: Route, { authenticators, limiter }: Parts) {
  const passages = new WeakMap<FastifyRequest, Passage>();
  const passageOf = (request: FastifyRequest): Passage => {
    const passage = passages.get(request) ?? { caller: undefined, limits: [] };
    passages.set(request, passage);
    return passage;
  };
  const count = async (
    request: FastifyRequest,
    reply: FastifyReply,
    kind: "ip" | "caller",
  ): Promise<void> => {
    const { caller, limits } = passageOf(request);
    for (const limit of route.limit.filter(({ per }) => (per === "ip") === (kind === "ip"))) {
      const key = keyOf(limit, request.ip, caller);
      if (key !== undefined)
        limits.push(await limiter.count({ limit, route: `${route.method} ${route.path}`, key }));
    }
    showTightest(reply, limits);
  };
  const identify = async (request: FastifyRequest): Promise<void> => {
    if (isRepeated(request.raw.rawHeaders)) throw requestErrors.ambiguousCredentials();
    const { method, url: target, headers, rawBody } = request;
    passageOf(request).caller = await identifyCaller(route.auth, authenticators, {
      method,
      target,
      headers,
      rawBody,
    });
  };
  return {
    count,
    identify,
    callerOf: (request: FastifyRequest): Caller | undefined => passageOf(request).caller,
  };
}

async function answer(
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller | undefined,
): Promise<unknown> {
  const { id: requestId, ip, headers } = request;
  const params = parseInput("path", route.params, request.params);
  const query = parseInput("query", route.query, request.query);
  const body = parseInput("body", route.body, request.body);
  const given = await route.handle({ params, query, body, caller, requestId, ip, headers });
  const schema = route.replies[given.status];
  if (schema === undefined)
    throw new Error(`${route.method} ${route.path} answered an undeclared ${given.status}`);
  reply.code(given.status).headers(given.headers ?? {});
  const contentType = contentTypeOf(schema);
  // Parsed on the way out too: what the schema does not name is not sent, and a wrong answer is our error, not data.
  return contentType === undefined
    ? reply.send(schema.parse(given.body))
    : reply.type(contentType).send(given.body);
}

/**
 * Binds one route object to the framework. The order is the point: addresses are counted before anything costly is
 * done for them, credentials are proven before the body is judged, and the handler sees only what passed.
 */
export function serveRoute(fastify: FastifyInstance, route: Route, parts: Parts): void {
  const gate = makeGate(route, parts);
  fastify.route({
    method: route.method,
    url: frameworkPath(route.path),
    config: { surface: route.surface ?? parts.surface },
    ...(route.bodyLimitBytes === undefined ? {} : { bodyLimit: route.bodyLimitBytes }),
    onRequest: (request, reply) => gate.count(request, reply, "ip"),
    preValidation: async (request, reply) => {
      await gate.identify(request);
      await gate.count(request, reply, "caller");
      checkText(request.params, "path");
      checkText(request.query, "query");
      checkText(request.body, "body");
    },
    handler: (request, reply) => answer(route, request, reply, gate.callerOf(request)),
  });
}
