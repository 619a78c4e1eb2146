import type { IncomingMessage, ServerResponse } from "node:http";
import cors from "@fastify/cors";
import type { FastifyInstance } from "fastify";
import helmet from "helmet";
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
];

const noPage = { origin: false };

/** Helmet's headers for an API without pages. Computed once, because they are the same for every response. */
function securityHeaders(): Record<string, string> {
  const headers: Record<string, string> = { "cache-control": "no-store" };
  const collect = {
    setHeader: (name: string, value: string) => (headers[name] = value),
    removeHeader: () => undefined,
  };
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { "default-src": ["'none'"], "frame-ancestors": ["'none'"] },
    },
    referrerPolicy: { policy: "no-referrer" },
    frameguard: { action: "deny" },
  })({} as IncomingMessage, collect as unknown as ServerResponse, () => undefined);
  return headers;
}

/** Security headers on every answer, and who may call from a web page. No answer is cached unless it says it may be. */
export async function protect(
  fastify: FastifyInstance,
  { routes, uiOrigin }: { readonly routes: readonly Route[]; readonly uiOrigin: string | undefined },
): Promise<void> {
  const headers = securityHeaders();
  fastify.addHook("onRequest", (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
  // A preflight names only a path, so the question "may any page call this?" is answered by path.
  const isOpenToAnyPage = matcherFor(routes.filter((route) => route.cors === "any"));
  await fastify.register(cors, {
    delegator: (request, done) => {
      // Not from a web page: nothing to allow, and most calls are such.
      if (request.headers.origin === undefined) {
        done(null, noPage);
        return;
      }
      const [path = ""] = request.url.split("?");
      done(null, {
        origin: isOpenToAnyPage(path) ? "*" : (uiOrigin ?? false),
        exposedHeaders,
        maxAge: 600,
        methods: ["GET", "POST", "PUT", "PATCH", "DELETE"],
      });
    },
  });
}
