import { z } from "zod";
import { requestErrors } from "@countersign/platform/errors";
import { ok, open, route, unlimited, type Health, type Route } from "@countersign/platform/http";
import type { Engine } from "../validate/engine.ts";

const HealthStatus = z
  .object({
    status: z.enum(["ok", "degraded"]),
    version: z.string(),
    uptime_seconds: z.number().int(),
    llm: z
      .object({
        enabled: z.boolean(),
        model: z.string().nullable(),
        state: z.enum(["off", "ok", "resting"]),
      })
      .meta({
        description:
          "Whether a language model helps the semantic checks. One that rests failed too often and is left alone for a while; verdicts stand without it.",
      }),
    catalogue: z.object({ checks: z.number().int(), version: z.string() }),
    lists: z
      .array(z.object({ name: z.string(), as_of: z.string(), entries: z.number().int(), fresh: z.boolean() }))
      .meta({ description: "Lists of addresses. One that is not fresh convicts and no longer clears." }),
    registry: z.array(
      z.object({ name: z.string(), version: z.string(), as_of: z.string(), entries: z.number().int() }),
    ),
  })
  .meta({ id: "Health" });

type Parts = {
  readonly health: Health;
  readonly version: string;
  readonly engine: () => Engine | undefined;
};

/** Which knowledge the verdicts rest on, and how old it is. */
const describe = ({ nodes, catalogueVersion, lists, registry, semantic }: Engine) => ({
  llm: {
    enabled: semantic !== null,
    model: semantic?.model ?? null,
    state: semantic?.state() ?? ("off" as const),
  },
  catalogue: { checks: nodes.length, version: catalogueVersion },
  lists: [lists.sanctions, lists.scams, lists.blockedProtocols].flatMap((list) =>
    list === null ? [] : [{ name: list.name, as_of: list.asOf, entries: list.size, fresh: list.fresh }],
  ),
  registry: registry.sources.map(({ asOf, ...source }) => ({ ...source, as_of: asOf })),
});

export const healthRoutes = ({ health, version, engine }: Parts): readonly Route[] => [
  route({
    method: "GET",
    path: "/health",
    summary: "How this service is",
    tag: "Health",
    auth: open,
    limit: unlimited,
    replies: { 200: HealthStatus },
    refuses: [requestErrors.notReady],
    handle: async () => {
      const loaded = engine();
      if (loaded === undefined) throw requestErrors.notReady({ headers: { "Retry-After": "1" } });
      const { status, uptimeSeconds } = await health.read();
      return ok({ status, version, uptime_seconds: uptimeSeconds, ...describe(loaded) });
    },
  }),
];
