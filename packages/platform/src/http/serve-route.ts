import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Problem, requestErrors, type Surface } from "../errors/index.ts";
import { withSpan } from "../trace/index.ts";
import {
  challengesOf,
  identifyCaller,
  isAnyPresented,
  isStillGood,
  type Authenticator,
  type Caller,
} from "./auth.ts";
import { checkText } from "./check-text.ts";
import { keyOf, limitHeaders, type Limit, type Limiter, type LimitState } from "./limit.ts";
import { parseInput } from "./parse-input.ts";
import { contentTypeOf, frameworkPath, isBodiless, type Route } from "./route.ts";
import { spanOf } from "./trace-requests.ts";

type Parts = {
  readonly surface: Surface;
  readonly authenticators: readonly Authenticator[];
  readonly limiter: Limiter;
  /** Whether every caller may continue a trace. Otherwise only those that the route authenticates. */
  readonly trustsCallers: boolean;
};

/** Facts about a request, collected before the handler runs. */
type Passage = {
  /** Cached, because the framework parses the headers on each access. */
  readonly ip: string;
  caller: Caller | undefined;
  /** See `stillHolds` of a handler's input. */
  stillHolds: () => Promise<boolean>;
  tightest: LimitState | undefined;
};

declare module "fastify" {
  // eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- the framework's own way to add a field
  interface FastifyRequest {
    /** A field instead of a map, because every request writes and reads it. */
    passage: Passage | undefined;
  }
}

/** Once for each service, before its routes. */
export function preparePassages(fastify: FastifyInstance): void {
  fastify.decorateRequest("passage", undefined);
}

const credentialHeaders = new Set([
  "authorization",
  "x-api-key",
  "x-ethereum-address",
  "x-ethereum-signature",
]);

/** Of a header that is sent twice, Node keeps the first and a proxy before us may have read the second. */
function isRepeated(rawHeaders: readonly string[]): boolean {
  const seen: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? "").toLowerCase();
    if (!credentialHeaders.has(name)) continue;
    if (seen.includes(name)) return true;
    seen.push(name);
  }
  return false;
}

/** When the key of a limit is known. Costly operations are counted by the code that performs them, not here. */
function stageOf({ per, counts }: Limit): "arrival" | "proven" | "parsed" | undefined {
  if (counts !== undefined) return undefined;
  if (per === "ip") return "arrival";
  return "value" in per ? "parsed" : "proven";
}

const passageOf = (request: FastifyRequest): Passage =>
  (request.passage ??= {
    ip: request.ip,
    caller: undefined,
    stillHolds: async () => true,
    tightest: undefined,
  });

/** The refusal with what the client is to do about it, where the endpoint says that. */
function challenged(error: unknown, { challenge }: Route, isPresented: boolean): unknown {
  if (!(error instanceof Problem) || error.status !== 401 || challenge === undefined) return error;
  return requestErrors.unauthenticated({ headers: { "WWW-Authenticate": challenge({ isPresented }) } });
}

function makeGate(route: Route, { authenticators, limiter }: Parts) {
  const name = `${route.method} ${route.path}`;
  const limitsAt = Object.groupBy(route.limit, (limit) => stageOf(limit) ?? "elsewhere");
  const count = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { at, inputs = [] }: { readonly at: keyof typeof limitsAt; readonly inputs?: readonly unknown[] },
  ): Promise<void> => {
    const limits = limitsAt[at];
    if (limits === undefined) return;
    const passage = passageOf(request);
    for (const limit of limits) {
      const key = keyOf(limit, { ip: passage.ip, caller: passage.caller, inputs });
      if (key === undefined) continue;
      const state = await limiter.count({ limit, route: name, key });
      // The header shows the limit with the fewest requests left: that is the one the caller will meet.
      if (passage.tightest === undefined || state.remaining < passage.tightest.remaining)
        passage.tightest = state;
    }
    if (passage.tightest !== undefined) reply.headers(limitHeaders(passage.tightest));
  };
  const identify = async (request: FastifyRequest): Promise<void> => {
    if (isRepeated(request.raw.rawHeaders)) throw requestErrors.ambiguousCredentials();
    const { method, url: target, headers, rawBody } = request;
    const passage = passageOf(request);
    const { ip } = passage;
    const presented = { method, target, headers, rawBody, ip };
    try {
      passage.caller = await identifyCaller(route.auth, authenticators, presented);
      passage.stillHolds = () => isStillGood(route.auth, authenticators, presented);
    } catch (error) {
      throw challenged(error, route, isAnyPresented(authenticators, presented));
    }
  };
  return { count, identify };
}

async function answer(
  route: Route,
  gate: ReturnType<typeof makeGate>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { id: requestId, headers } = request;
  const params = route.params && parseInput("path", route.params, request.params);
  const query = route.query && parseInput("query", route.query, request.query);
  const body = route.body && parseInput("body", route.body, request.body);
  await gate.count(request, reply, { at: "parsed", inputs: [query, body] });
  const { ip, caller, stillHolds } = passageOf(request);
  const given = await route.handle({ params, query, body, caller, requestId, ip, headers, stillHolds });
  const schema = route.replies[given.status];
  if (schema === undefined)
    throw new Error(`${route.method} ${route.path} answered an undeclared ${given.status}`);
  reply.code(given.status).headers(given.headers ?? {});
  if (isBodiless(given.status)) return reply.send();
  const contentType = contentTypeOf(schema);
  // Parsed on the way out too: what the schema does not name is not sent, and a wrong answer is our error, not data.
  return contentType === undefined
    ? reply.send(schema.parse(given.body))
    : reply.type(given.headers?.["Content-Type"] ?? contentType).send(given.body);
}

const isEndless = ({ replies }: Route): boolean =>
  replies[200] !== undefined && contentTypeOf(replies[200]) === "text/event-stream";

/**
 * Binds one route object to the framework. The order is the point: addresses are counted before anything costly is
 * done for them, credentials are verified before the body is parsed, and the handler sees only valid input.
 */
export function serveRoute(fastify: FastifyInstance, route: Route, parts: Parts): void {
  const gate = makeGate(route, parts);
  fastify.route({
    method: route.method,
    url: frameworkPath(route.path),
    config: {
      surface: route.surface ?? parts.surface,
      acceptsForm: route.form ?? false,
      challenges: challengesOf(route.auth, parts.authenticators),
    },
    ...(route.bodyLimitBytes === undefined ? {} : { bodyLimit: route.bodyLimitBytes }),
    // HEAD would open a stream that is never read or closed.
    exposeHeadRoute: !isEndless(route),
    onRequest: async (request, reply) => {
      await gate.count(request, reply, { at: "arrival" });
      route.admit?.(request.headers);
    },
    preValidation: async (request, reply) => {
      await gate.identify(request);
      spanOf(request, reply, { isTrusted: parts.trustsCallers || passageOf(request).caller !== undefined });
      await gate.count(request, reply, { at: "proven" });
      checkText(request.params, "path");
      checkText(request.query, "query");
      checkText(request.body, "body");
    },
    handler: (request, reply) => withSpan(request.span, () => answer(route, gate, request, reply)),
  });
}
