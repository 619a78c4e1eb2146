import cors from "@fastify/cors";
import helmet from "@fastify/helmet";
import type { FastifyInstance } from "fastify";
import type { Route } from "./route.ts";

const exposedHeaders = [
  "ETag",
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

const escapeForPattern = (text: string): string => text.replace(/[.*+?^$()|[\]\\]/g, "\\$&");

/** A preflight names only a path, so the question "may any page call this?" is answered by path. */
function matcherFor(routes: readonly Route[]): (path: string) => boolean {
  const patterns = routes
    .filter((route) => route.cors === "any")
    .map((route) => new RegExp(`^${escapeForPattern(route.path).replace(/\{\w+\}/g, "[^/]+")}$`));
  return (path) => patterns.some((pattern) => pattern.test(path));
}

/** Security headers on every answer, and who may call from a web page. No answer is cached unless it says it may be. */
export async function protect(
  fastify: FastifyInstance,
  { routes, uiOrigin }: { readonly routes: readonly Route[]; readonly uiOrigin: string | undefined },
): Promise<void> {
  await fastify.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { "default-src": ["'none'"], "frame-ancestors": ["'none'"] },
    },
    referrerPolicy: { policy: "no-referrer" },
    frameguard: { action: "deny" },
  });
  const isOpenToAnyPage = matcherFor(routes);
  await fastify.register(cors, {
    delegator: (request, done) => {
      const [path = ""] = request.url.split("?");
      done(null, {
        origin: isOpenToAnyPage(path) ? "*" : (uiOrigin ?? false),
        exposedHeaders,
        maxAge: 600,
        methods: ["GET", "POST", "PUT", "PATCH", "DELETE"],
      });
    },
  });
  fastify.addHook("onSend", async (_request, reply) => {
    if (!reply.hasHeader("cache-control")) reply.header("cache-control", "no-store");
  });
}
