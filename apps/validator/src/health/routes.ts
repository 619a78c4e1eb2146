import { z } from "zod";
import { ok, open, route, unlimited, type Health, type Route } from "@countersign/platform/http";

const HealthStatus = z
  .object({
    status: z.enum(["ok", "degraded"]),
    version: z.string(),
    uptime_seconds: z.number().int(),
    llm: z
      .object({ enabled: z.boolean() })
      .meta({ description: "Whether a language model helps the semantic checks." }),
  })
  .meta({ id: "Health" });

export const healthRoutes = ({
  health,
  version,
}: {
  readonly health: Health;
  readonly version: string;
}): readonly Route[] => [
  route({
    method: "GET",
    path: "/health",
    summary: "How this service is",
    tag: "Health",
    auth: open,
    limit: unlimited,
    replies: { 200: HealthStatus },
    handle: async () => {
      const { status, uptimeSeconds } = await health.read();
      return ok({ status, version, uptime_seconds: uptimeSeconds, llm: { enabled: false } });
    },
  }),
];
