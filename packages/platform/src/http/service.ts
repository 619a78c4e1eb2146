import Fastify, { type FastifyInstance, type FastifyRequest } from "fastify";
import { systemClock, type Clock } from "../clock.ts";
import { requestErrors, type Surface } from "../errors/index.ts";
import type { Log } from "../log/index.ts";
import { withSpan } from "../trace/index.ts";
import { allowPages } from "./cors.ts";
import { explainError } from "./explain-error.ts";
import { hangUpWhenDraining, hangUpWhenStopping } from "./hang-up.ts";
import { applyStandardLimit, defaultLimits, makeLocalLimiter, type Limiter } from "./limit.ts";
import type { Metrics } from "./metrics.ts";
import { writeOpenApi, type DocumentOptions } from "./openapi.ts";
import { acceptForms } from "./parse-form.ts";
import { acceptJson, type ParseJson } from "./parse-json.ts";
import { acceptText } from "./parse-text.ts";
import { serveReference } from "./reference-page.ts";
import { requestIdFrom } from "./request-id.ts";
import { makeMethodsAt } from "./route-paths.ts";
import { addSecurityHeaders } from "./security-headers.ts";
import { preparePassages, serveRoute } from "./serve-route.ts";
import { endSpan, prepareSpans, spanOf } from "./trace-requests.ts";

declare module "fastify" {
  // eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- the framework's own way to add a field
  interface FastifyContextConfig {
    surface?: Surface;
    acceptsForm?: boolean;
    /** `WWW-Authenticate` of a 401 that carries no challenge of its own. */
    challenges?: string;
  }
}

export type ServiceOptions = DocumentOptions & {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly limiter?: Limiter;
  /** The standard limit of an address at one endpoint. 300 if absent. */
  readonly requestsPerMinutePerIp?: number;
  readonly clock?: Clock;
  /** Origin of the web app, the one page that may call everything. */
  readonly uiOrigin?: string;
  /** Proxies whose X-Forwarded-For is trusted. None by default: otherwise a client could choose its own address. */
  readonly trustedProxies?: readonly string[];
  /**
   * Whether every caller may continue its trace, for services that only our own call. Otherwise an unauthenticated request
   * begins a trace, with a link to the caller's.
   */
  readonly trustsCallers?: boolean;
  /** Whether callers are to leave: each answer then closes its connection. */
  readonly isDraining?: () => boolean;
  /** Reads bodies in place of the framework's parser. */
  readonly parseJson?: ParseJson;
};

const maxParameterLength = 8 * 1024;

/** Fastify as we run it. A path parameter may be a whole PGP key, so addresses may be long. */
function makeFastify({ trustedProxies = [] }: ServiceOptions): FastifyInstance {
  return Fastify({
    logger: false,
    genReqId: (request) => requestIdFrom(request.headers["x-request-id"]),
    requestIdHeader: false,
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    bodyLimit: 256 * 1024,
    // Every character of a parameter may arrive percent-encoded, three for one.
    routerOptions: { maxParamLength: maxParameterLength * 3 },
    http: { maxHeaderSize: 64 * 1024 },
    forceCloseConnections: "idle",
    requestTimeout: 60_000,
  });
}

const challengeFor = (status: number, { routeOptions }: FastifyRequest): Record<string, string> =>
  status === 401 ? { "WWW-Authenticate": routeOptions.config.challenges ?? "Bearer" } : {};

function answerErrors(
  fastify: FastifyInstance,
  options: ServiceOptions & { readonly limiter: Limiter },
): void {
  const { surface, log, limiter, routes } = options;
  const unmatchedLimits = applyStandardLimit(defaultLimits, options.requestsPerMinutePerIp);
  fastify.setErrorHandler(async (error, request, reply) => {
    const problem = explainError(error);
    const { surface: own = surface } = request.routeOptions.config;
    const isInvalid = problem.code === requestErrors.invalid.code || own.alsoInvalid?.includes(problem.code);
    const status = isInvalid === true ? own.invalidStatus : problem.status;
    const about = {
      requestId: request.id,
      route: request.routeOptions.url ?? "",
      errorCode: problem.code,
      ...problem.details,
    };
    withSpan(spanOf(request, reply, { isTrusted: options.trustsCallers === true }), () => {
      if (status >= 500) log.error("a request failed", { ...about, error: problem.cause ?? problem });
      else if (Object.keys(problem.details).length > 0) log.info("a request was refused", about);
    });
    const told = { code: problem.code, status, message: problem.message };
    reply.code(status).headers({ ...challengeFor(status, request), ...problem.headers });
    reply.header("X-Error-Code", problem.code);
    return own.renderPage !== undefined && request.headers.accept?.includes("text/html") === true
      ? reply.type("text/html; charset=utf-8").send(own.renderPage(told))
      : reply.send(own.render(told));
  });
  const methodsAt = makeMethodsAt(routes);
  fastify.setNotFoundHandler(async (request) => {
    // Unknown addresses are counted too: guessing paths is not free.
    for (const limit of unmatchedLimits) await limiter.count({ limit, route: "unmatched", key: request.ip });
    const methods = methodsAt(request.url);
    if (methods.length > 0) throw requestErrors.methodNotAllowed({ headers: { Allow: methods.join(", ") } });
    throw requestErrors.notFound();
  });
}

function recordRequests(
  fastify: FastifyInstance,
  { log, metrics, trustsCallers = false }: ServiceOptions,
): void {
  prepareSpans(fastify);
  fastify.addHook("onRequest", (request, reply, done) => {
    reply.header("X-Request-Id", request.id);
    done();
  });
  fastify.addHook("onResponse", (request, reply, done) => {
    // The pattern, not the address: addresses carry codes and keys.
    const route = request.routeOptions.url ?? "unmatched";
    const { method, id: requestId } = request;
    const status = reply.statusCode;
    const durationMs = Math.round(reply.elapsedTime);
    const errorCode = reply.getHeader("x-error-code");
    metrics.observeRequest({ method, route, status, seconds: reply.elapsedTime / 1000 });
    withSpan(spanOf(request, reply, { isTrusted: trustsCallers }), () => {
      log.info("request", {
        requestId,
        method,
        route,
        status,
        durationMs,
        ...(typeof errorCode === "string" ? { errorCode } : {}),
      });
    });
    endSpan(request, reply);
    done();
  });
}

/** A whole service from its routes: limits, authentication, validation, errors, headers, documents, metrics, logs. */
export async function makeService(given: ServiceOptions): Promise<FastifyInstance> {
  const options = {
    ...given,
    routes: given.routes.map((route) => ({
      ...route,
      limit: applyStandardLimit(route.limit, given.requestsPerMinutePerIp),
    })),
    limiter: given.limiter ?? makeLocalLimiter(given.clock ?? systemClock),
  };
  const fastify = makeFastify(options);
  hangUpWhenStopping(fastify);
  hangUpWhenDraining(fastify, options.isDraining);
  acceptJson(fastify, options.parseJson);
  acceptForms(fastify);
  recordRequests(fastify, options);
  answerErrors(fastify, options);
  addSecurityHeaders(fastify);
  allowPages(fastify, { routes: options.routes, uiOrigin: options.uiOrigin });
  const { surface, authenticators = [], limiter, trustsCallers = false, routes } = options;
  preparePassages(fastify);
  const parts = { surface, authenticators, limiter, trustsCallers };
  for (const route of routes.filter(({ text }) => text !== true)) serveRoute(fastify, route, parts);
  // Apart from the others, to whom a foreign content type stays foreign.
  await fastify.register(async (apart) => {
    acceptText(apart);
    for (const route of routes.filter(({ text }) => text === true)) serveRoute(apart, route, parts);
  });
  await serveReference(fastify, options.title, writeOpenApi(options));
  await fastify.ready();
  return fastify;
}
