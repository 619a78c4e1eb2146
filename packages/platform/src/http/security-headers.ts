import type { FastifyInstance } from "fastify";

/** Those that mean something for an API without pages. Constant, in lower case, and few: every response carries them. */
const securityHeaders = {
  // No answer is cached unless it says that it may be.
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none';frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "strict-transport-security": "max-age=31536000; includeSubDomains",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  // See `allowPages`: an answer depends on the page that asks.
  vary: "Origin",
};

/** Security headers on every answer. */
export function addSecurityHeaders(fastify: FastifyInstance): void {
  fastify.addHook("onRequest", (_request, reply, done) => {
    reply.headers(securityHeaders);
    done();
  });
}
