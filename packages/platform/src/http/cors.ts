// Which web pages may call which address (https://fetch.spec.whatwg.org/#cors-protocol). A request without an Origin, as every
// program sends it, costs one comparison.
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { matcherFor } from "./route-paths.ts";
import type { Route } from "./route.ts";

const exposedHeaders = [
  "ETag",
  "Idempotent-Replayed",
  "Link",
  "Location",
  "Mcp-Protocol-Version",
  "Mcp-Session-Id",
  "Retry-After",
  "WWW-Authenticate",
  "X-Error-Code",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "X-Request-Id",
].join(", ");

const preflightSeconds = 600;

/** A browser asks by it whether a page may send a certain request. */
const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === "OPTIONS" && headers["access-control-request-method"] !== undefined;

function answerPreflight(request: FastifyRequest, reply: FastifyReply): void {
  const wanted = request.headers["access-control-request-headers"];
  reply.code(204).headers({
    "Access-Control-Allow-Methods": "GET, POST, PUT, PATCH, DELETE",
    "Access-Control-Max-Age": String(preflightSeconds),
    Vary: "Origin, Access-Control-Request-Headers",
    // Safari waits for a body otherwise.
    "Content-Length": "0",
    ...(wanted === undefined ? {} : { "Access-Control-Allow-Headers": wanted }),
  });
  reply.send();
}

/** Allows the web app's pages to call everything, and any page to call the routes that say so. */
export function allowPages(
  fastify: FastifyInstance,
  { routes, uiOrigin }: { readonly routes: readonly Route[]; readonly uiOrigin: string | undefined },
): void {
  // A preflight names only a path, so the question "may any page call this?" is answered by path.
  const isOpenToAnyPage = matcherFor(routes.filter((route) => route.cors === "any"));
  fastify.addHook("onRequest", (request, reply, done) => {
    if (request.headers.origin === undefined) {
      done();
      return;
    }
    const [path = ""] = request.url.split("?");
    const allowed = isOpenToAnyPage(path) ? "*" : uiOrigin;
    if (allowed === undefined) {
      done();
      return;
    }
    reply.headers({
      "Access-Control-Allow-Origin": allowed,
      "Access-Control-Expose-Headers": exposedHeaders,
    });
    if (isPreflight(request)) answerPreflight(request, reply);
    else done();
  });
}
