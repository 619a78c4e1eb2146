import { z } from "zod";
import { ok, open, route, unlimited, type Health, type Route } from "@countersign/platform/http";

const ServiceInfo = z
  .object({
    name: z.string(),
    version: z.string(),
    status: z.literal("ok"),
    documentation: z.url(),
    mcp: z.url(),
  })
  .meta({ id: "ServiceInfo" });

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
  .meta({ id: "Health" });

type Parts = { readonly health: Health; readonly version: string; readonly baseUrl: string };

export const healthRoutes = ({ health, version, baseUrl }: Parts): readonly Route[] => [
  route({
    method: "GET",
    path: "/",
    summary: "What this service is",
    tag: "Health",
    auth: open,
    replies: { 200: ServiceInfo },
    handle: () =>
      ok({
        name: "Countersign",
        version,
        status: "ok" as const,
        documentation: `${baseUrl}/docs`,
        mcp: `${baseUrl}/mcp`,
      }),
  }),
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
  }),
];
