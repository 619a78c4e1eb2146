import { z } from "zod";
import { open, type AuthRule } from "./auth.ts";
import type { Health } from "./health.ts";
import { unlimited } from "./limit.ts";
import type { Metrics } from "./metrics.ts";
import { ok, route, type Route } from "./route.ts";

const Readiness = z
  .object({
    ready: z.boolean(),
    checks: z
      .record(z.string(), z.enum(["ok", "failing"]))
      .meta({ description: "Each part that the service depends on." }),
  })
  .meta({ id: "Readiness", description: "Whether the service is ready, and each part that it depends on." });

/** The operator's endpoints, shared by all services. */
export const operatorRoutes = ({
  health,
  metrics,
  metricsAuth = open,
}: {
  readonly health: Health;
  readonly metrics: Metrics;
  /** Who may read the metrics. Anyone, unless the service can be reached from elsewhere. */
  readonly metricsAuth?: AuthRule<unknown>;
}): readonly Route[] => [
  route({
    method: "GET",
    path: "/ready",
    summary: "May traffic be sent here?",
    description: "503 while a part that the service cannot work without is missing, and while it shuts down.",
    tag: "Operation",
    auth: open,
    limit: unlimited,
    replies: { 200: Readiness, 503: Readiness },
    handle: async () => {
      const { ready, checks } = await health.read();
      const body = { ready, checks };
      return ready ? ok(body) : { status: 503 as const, body };
    },
  }),
  route({
    method: "GET",
    path: "/metrics",
    summary: "Prometheus metrics",
    tag: "Operation",
    auth: metricsAuth,
    limit: unlimited,
    listener: "internal",
    replies: { 200: z.string().meta({ contentType: "text/plain", description: "Prometheus text format" }) },
    handle: async () => ok(await metrics.write(), { "content-type": metrics.contentType }),
  }),
];
