import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Problem, requestErrors, type Surface } from "../errors/index.ts";
import { withSpan } from "../trace/index.ts";
import {
  challengesOf,
  identifyCaller,
  isAnyPresented,
  isOpen,
  isStillGood,
  type Authenticator,
  type Caller,
  type Credentials,
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

/** A hook that waits only if it has to. The framework passes on what it throws. */
const hook =
  (run: (request: FastifyRequest, reply: FastifyReply) => Promise<void> | void) =>
  (request: FastifyRequest, reply: FastifyReply, done: () => void): Promise<void> | undefined => {
    const waiting = run(request, reply);
    if (waiting !== undefined) return waiting;
    done();
    return undefined;
  };

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

/** Continues at once if there is nothing to wait for: even a settled promise costs every request a turn. */
const afterwards = <T>(waiting: Promise<void> | undefined, next: () => T | Promise<T>): T | Promise<T> =>
  waiting === undefined ? next() : waiting.then(next);

type Counting = { readonly at: "arrival" | "proven" | "parsed"; readonly inputs?: readonly unknown[] };

/** Counts a request. Returns a promise only if the counts are shared with other processes. */
function makeCount(route: Route, { limiter }: Parts) {
  const name = `${route.method} ${route.path}`;
  const limitsAt = Object.groupBy(route.limit, (limit) => stageOf(limit) ?? "elsewhere");
  const countOne = (
    limit: Limit,
    passage: Passage,
    inputs: readonly unknown[],
  ): Promise<void> | undefined => {
    const key = keyOf(limit, { ip: passage.ip, caller: passage.caller, inputs });
    if (key === undefined) return undefined;
    const note = (state: LimitState): void => {
      // The header shows the limit with the fewest requests left: that is the one the caller will meet.
      if (passage.tightest === undefined || state.remaining < passage.tightest.remaining)
        passage.tightest = state;
    };
    const state = limiter.count({ limit, route: name, key });
    if (state instanceof Promise) return state.then(note);
    note(state);
    return undefined;
  };
  return (
    request: FastifyRequest,
    reply: FastifyReply,
    { at, inputs = [] }: Counting,
  ): Promise<void> | undefined => {
    const limits = limitsAt[at];
    if (limits === undefined) return undefined;
    const passage = passageOf(request);
    let waiting: Promise<void> | undefined;
    // One after the other: none is counted after the one that refuses.
    for (const limit of limits)
      waiting =
        waiting === undefined
          ? countOne(limit, passage, inputs)
          : waiting.then(() => countOne(limit, passage, inputs));
    const tell = (): undefined => {
      if (passage.tightest !== undefined) reply.headers(limitHeaders(passage.tightest));
    };
    if (waiting !== undefined) return waiting.then(tell);
    tell();
    return undefined;
  };
}

/** Establishes the caller. Returns a promise only if the endpoint asks for a credential. */
function makeIdentify(route: Route, { authenticators }: Parts) {
  const prove = async (passage: Passage, presented: Credentials): Promise<void> => {
    try {
      passage.caller = await identifyCaller(route.auth, authenticators, presented);
      passage.stillHolds = () => isStillGood(route.auth, authenticators, presented);
    } catch (error) {
      throw challenged(error, route, isAnyPresented(authenticators, presented));
    }
  };
  return (request: FastifyRequest): Promise<void> | undefined => {
    if (isRepeated(request.raw.rawHeaders)) throw requestErrors.ambiguousCredentials();
    if (isOpen(route.auth)) return undefined;
    const { method, url: target, headers, rawBody } = request;
    const passage = passageOf(request);
    return prove(passage, { method, target, headers, rawBody, ip: passage.ip });
  };
}

type Count = ReturnType<typeof makeCount>;
type Given = Awaited<ReturnType<Route["handle"]>>;

function send(route: Route, reply: FastifyReply, given: Given): FastifyReply {
  const schema = route.replies[given.status];
  if (schema === undefined)
    throw new Error(`${route.method} ${route.path} answered an undeclared ${given.status}`);
  reply.code(given.status);
  if (given.headers !== undefined) reply.headers(given.headers);
  if (isBodiless(given.status)) return reply.send();
  const contentType = contentTypeOf(schema);
  // Parsed on the way out too: what the schema does not name is not sent, and a wrong answer is our error, not data.
  return contentType === undefined
    ? reply.send(schema.parse(given.body))
    : reply.type(given.headers?.["Content-Type"] ?? contentType).send(given.body);
}

async function answer(
  route: Route,
  count: Count,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { id: requestId, headers } = request;
  const params = route.params && parseInput("path", route.params, request.params);
  const query = route.query && parseInput("query", route.query, request.query);
  const body = route.body && parseInput("body", route.body, request.body);
  const counted = count(request, reply, { at: "parsed", inputs: [query, body] });
  if (counted !== undefined) await counted;
  const { ip, caller, stillHolds } = passageOf(request);
  const given = await route.handle({ params, query, body, caller, requestId, ip, headers, stillHolds });
  return send(route, reply, given);
}

const streamed = ["text/event-stream", "application/x-ndjson"];
const isStream = ({ replies }: Route): boolean =>
  replies[200] !== undefined && streamed.includes(contentTypeOf(replies[200]) ?? "");

/**
 * Binds one route object to the framework. The order is the point: addresses are counted before anything costly is
 * done for them, credentials are verified before the body is parsed, and the handler sees only valid input.
 */
export function serveRoute(fastify: FastifyInstance, route: Route, parts: Parts): void {
  const count = makeCount(route, parts);
  const identify = makeIdentify(route, parts);
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
    exposeHeadRoute: !isStream(route),
    onRequest: hook((request, reply) =>
      afterwards(count(request, reply, { at: "arrival" }), () => route.admit?.(request.headers)),
    ),
    preValidation: hook((request, reply) =>
      afterwards(identify(request), () => {
        spanOf(request, reply, {
          isTrusted: parts.trustsCallers || passageOf(request).caller !== undefined,
        });
        return afterwards(count(request, reply, { at: "proven" }), () => {
          checkText(request.params, "path");
          checkText(request.query, "query");
          checkText(request.body, "body");
        });
      }),
    ),
    handler: (request, reply) => withSpan(request.span, () => answer(route, count, request, reply)),
  });
}
