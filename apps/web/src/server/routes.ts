// The web server: serves the pages and proxies their API calls.
import { systemClock, type Clock } from "@countersign/platform/clock";
import { Problem, requestErrors, restSurface, type ErrorFactory } from "@countersign/platform/errors";
import {
  endSpan,
  hangUpWhenDraining,
  hangUpWhenStopping,
  makeHealth,
  prepareSpans,
  requestIdFrom,
} from "@countersign/platform/http";
import type { Log } from "@countersign/platform/log";
import { withSpan } from "@countersign/platform/trace";
import Fastify, { type FastifyInstance } from "fastify";
import { isSecure, publicApiUrlOf, type Config } from "../config.ts";
import { makeMainService } from "./adapters/main-service.ts";
import { makeCookies } from "./cookies.ts";
import { securityHeaders } from "./headers.ts";
import { carryCalls } from "./routes.api.ts";
import { probePages, servePages } from "./routes.pages.ts";
import { serveSession } from "./routes.session.ts";
import { makeSessions } from "./sessions.ts";

type Options = {
  readonly config: Config;
  readonly log: Log;
  /** The folder of the built pages. */
  readonly pages: string;
  readonly clock?: Clock;
};

function makeFastify({ config: { TRUSTED_PROXIES } }: Options): FastifyInstance {
  const fastify = Fastify({
    logger: false,
    genReqId: ({ headers }) => requestIdFrom(headers["x-request-id"]),
    requestIdHeader: false,
    trustProxy: TRUSTED_PROXIES.length === 0 ? false : [...TRUSTED_PROXIES],
    bodyLimit: 256 * 1024,
    exposeHeadRoutes: false,
    forceCloseConnections: "idle",
    requestTimeout: 60_000,
  });
  // Bodies pass unchanged: an owner's signature may cover their bytes.
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, done) => {
    done(null, body);
  });
  return fastify;
}

const ofFramework: Readonly<Record<string, ErrorFactory>> = {
  FST_ERR_BAD_URL: requestErrors.invalid,
  FST_ERR_CTP_BODY_TOO_LARGE: requestErrors.bodyTooLarge,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: requestErrors.invalid,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: requestErrors.unsupportedMediaType,
};

function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  // A path traversal attempt.
  if (error instanceof Error && "statusCode" in error && error.statusCode === 403)
    return requestErrors.notFound({ cause: error });
  return (ofFramework[code] ?? requestErrors.internal)({ cause: error });
}

/** Uses the main service's error format, so that pages handle one format. */
function answerErrors(fastify: FastifyInstance, log: Log): void {
  fastify.setErrorHandler(async (error, request, reply) => {
    const problem = problemOf(error);
    if (problem.status >= 500)
      log.error("request failed", {
        requestId: request.id,
        route: request.routeOptions.url ?? "",
        errorCode: problem.code,
        ...problem.details,
        error: problem.cause ?? problem,
      });
    return reply
      .code(problem.status)
      .headers({ ...problem.headers, "x-error-code": problem.code, "cache-control": "no-store" })
      .type("application/json; charset=utf-8")
      .send(restSurface.render(problem));
  });
}

function recordRequests(fastify: FastifyInstance, log: Log): void {
  prepareSpans(fastify);
  fastify.addHook("onResponse", (request, reply, done) => {
    const errorCode = reply.getHeader("x-error-code");
    withSpan(request.span, () => {
      log.info("request", {
        requestId: request.id,
        method: request.method,
        // Logs the route pattern, not the URL: URLs can contain codes.
        route: request.routeOptions.url ?? "unmatched",
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime),
        ...(typeof errorCode === "string" ? { errorCode } : {}),
      });
    });
    endSpan(request, reply);
    done();
  });
}

type Server = { readonly server: FastifyInstance; readonly startDraining: () => void };

export async function makeServer(options: Options): Promise<Server> {
  const { config, log, pages, clock = systemClock } = options;
  const fastify = makeFastify(options);
  const headers = securityHeaders({ isSecure: isSecure(config) });
  fastify.addHook("onRequest", (request, reply, done) => {
    reply.headers({ ...headers, "x-request-id": request.id });
    done();
  });
  recordRequests(fastify, log);
  answerErrors(fastify, log);

  const mainService = makeMainService({ apiUrl: config.API_URL });
  const sessions = makeSessions({ mainService, clock });
  const cookies = makeCookies({ isSecure: isSecure(config), clock });
  await fastify.register(serveSession({ mainService, sessions, cookies }));
  await fastify.register(carryCalls({ apiUrl: config.API_URL, sessions, cookies }), { prefix: "/api" });

  const health = makeHealth({
    checks: [
      { name: "api", required: true, run: mainService.probe },
      { name: "pages", required: true, run: () => probePages(pages) },
    ],
    clock,
    log,
  });
  hangUpWhenStopping(fastify);
  hangUpWhenDraining(fastify, health.isDraining);
  fastify.get("/config.json", () => ({ apiUrl: publicApiUrlOf(config) }));
  fastify.get("/health", () => ({ status: "ok" }));
  fastify.get("/ready", async (_request, reply) => {
    const { ready, checks } = await health.read();
    return reply.code(ready ? 200 : 503).send({ ready, checks });
  });
  await servePages(fastify, pages);
  await fastify.ready();
  return { server: fastify, startDraining: health.startDraining };
}
