import { z } from "zod";
import { open } from "./auth.ts";
import type { Health } from "./health.ts";
import { unlimited } from "./limit.ts";
import { ok, route, type Route } from "./route.ts";

const HealthStatus = z
  .object({
    status: z
      .enum(["ok", "degraded"])
      .meta({ description: "degraded: something is late, requests are still served" }),
    version: z.string(),
    uptimeSeconds: z.number().int(),
    checks: z.record(z.string(), z.enum(["ok", "failing"])),
    timestamp: z.iso.datetime(),
  })
  .meta({ id: "Health", description: "Whether the service works, and the state of each of its parts." });

/** `GET /health`, for services whose specification leaves its body to us. */
export const healthRoute = ({
  health,
  version,
}: {
  readonly health: Health;
  readonly version: string;
}): Route =>
  route({
    method: "GET",
    path: "/health",
    summary: "How this service is",
    description: "Always 200 while the process answers; /ready says whether traffic may be sent here.",
    tag: "Health",
    auth: open,
    limit: unlimited,
    replies: { 200: HealthStatus },
    handle: async () => {
      const { status, checks, uptimeSeconds, timestamp } = await health.read();
      return ok({ status, version, uptimeSeconds, checks: { ...checks }, timestamp });
    },
  });
