// The span of a request. It is opened once the caller is known: an authenticated caller continues its own trace, and
// any other begins one, so that a caller without a credential cannot add spans to the trace of others.
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { openSpan, readTraceparent, type Span } from "../trace/index.ts";

declare module "fastify" {
  // eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- the framework's own way to add a field
  interface FastifyRequest {
    span: Span | undefined;
  }
}

/** Asked every few seconds by orchestrators, and part of no trace. */
const untraced = new Set(["/health", "/ready", "/metrics"]);

/** Returns the request's span. The first call opens it. Undefined for addresses that match no route. */
export function spanOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { isTrusted }: { readonly isTrusted: boolean },
): Span | undefined {
  if (request.span !== undefined) return request.span;
  // The pattern, not the address: addresses carry codes and keys.
  const { url: route } = request.routeOptions;
  if (route === undefined || untraced.has(route)) return undefined;
  const { method } = request;
  const given = readTraceparent(request.headers["traceparent"]);
  request.span = openSpan(`${method} ${route}`, {
    kind: "server",
    attributes: { "http.request.method": method, "http.route": route },
    ...(isTrusted ? { parent: given } : { link: given }),
    ageMs: reply.elapsedTime,
  });
  return request.span;
}

/** Call once for each service, before the hook that logs requests. */
export function prepareSpans(fastify: FastifyInstance): void {
  fastify.decorateRequest("span", undefined);
}

/** Ends the request's span with the answer's status. */
export function endSpan({ span }: FastifyRequest, reply: FastifyReply): void {
  if (span === undefined) return;
  const { statusCode: status } = reply;
  const errorCode = reply.getHeader("x-error-code");
  span.set({
    "http.response.status_code": status,
    ...(typeof errorCode === "string" ? { "error.type": errorCode } : {}),
  });
  if (status >= 500) span.fail(typeof errorCode === "string" ? errorCode : String(status));
  span.end();
}
