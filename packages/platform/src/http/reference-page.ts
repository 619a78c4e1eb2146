import scalar from "@scalar/fastify-api-reference";
import type { FastifyInstance } from "fastify";

// The page's own script and styles, inline ones included; nothing from anywhere else, and it may call only us.
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");

/** The OpenAPI document at /openapi.json, and the reference drawn from it in the reader's browser at /docs. */
export async function serveReference(
  fastify: FastifyInstance,
  title: string,
  document: Readonly<Record<string, unknown>>,
): Promise<void> {
  fastify.get("/openapi.json", () => document);
  await fastify.register(scalar, {
    routePrefix: "/docs",
    configuration: {
      content: document,
      pageTitle: `${title} reference`,
      withDefaultFonts: false,
      // Only what draws the document: the page's maker also offers buttons that send it to services of theirs.
      agent: { disabled: true },
      hideClientButton: true,
      proxyUrl: "",
      showDeveloperTools: "never",
      telemetry: false,
    },
    hooks: {
      onRequest: (_request, reply, done) => {
        reply.header("content-security-policy", pagePolicy);
        done();
      },
    },
  });
}
