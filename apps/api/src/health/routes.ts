import { z } from "zod";
import { healthRoute, ok, open, route, type Health, type Route } from "@countersign/platform/http";

const ServiceInfo = z
  .object({
    name: z.string(),
    version: z.string(),
    status: z.literal("ok"),
    documentation: z.url(),
    mcp: z.url(),
  })
  .meta({ id: "ServiceInfo", description: "The name, version and addresses of the service." });

type Parts = { readonly health: Health; readonly version: string; readonly baseUrl: string };

export const healthRoutes = ({ health, version, baseUrl }: Parts): readonly Route[] => [
  route({
    method: "GET",
    path: "/",
    summary: "Describe this service",
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
  healthRoute({ health, version }),
];
