import { z } from "zod";
import { requestErrors } from "@countersign/platform/errors";
import { ok, open, route, unlimited, type Health, type Route } from "@countersign/platform/http";
import { listKinds, type Lists } from "../lists/index.ts";
import type { AboutEngine } from "../validate/check-worker.ts";
import { describeLists } from "../validate/describe-context.ts";
import type { Semantic } from "../validate/semantic.ts";

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
          "Whether a language model supports the semantic checks. After repeated failures it is not called for a while; verdicts do not depend on it.",
      }),
    catalogue: z.object({ checks: z.number().int(), version: z.string() }),
    lists: z
      .array(
        z.object({
          kind: z.enum(listKinds),
          name: z.string(),
          as_of: z.string(),
          age_days: z.number().int(),
          entries: z.number().int(),
          fresh: z.boolean(),
        }),
      )
      .meta({ description: "Lists of addresses. One that is not fresh convicts and no longer clears." }),
    lists_problem: z
      .string()
      .nullable()
      .meta({ description: "Why changed list files are refused. The previous lists are in use until then." }),
    registry: z.array(
      z.object({ name: z.string(), version: z.string(), as_of: z.string(), entries: z.number().int() }),
    ),
  })
  .meta({ id: "Health", description: "Whether the service works, and the state of each of its parts." });

/** The data that verdicts are based on. */
export type Knowledge = {
  readonly about: AboutEngine;
  readonly lists: Pick<Lists, "sanctions" | "scams" | "blockedProtocols">;
  /** Null if the operator's files are in use. */
  readonly listsProblem: string | null;
  readonly semantic: Pick<Semantic, "model" | "state"> | null;
};

type Parts = {
  readonly health: Health;
  readonly version: string;
  /** Undefined until everything is loaded. */
  readonly knowledge: () => Knowledge | undefined;
};

const describe = ({ about, lists, listsProblem, semantic }: Knowledge) => ({
  llm: {
    enabled: semantic !== null,
    model: semantic?.model ?? null,
    state: semantic?.state() ?? ("off" as const),
  },
  catalogue: { checks: about.checks, version: about.catalogueVersion },
  lists: describeLists(lists),
  lists_problem: listsProblem,
  registry: about.registry.map(({ asOf, ...source }) => ({ ...source, as_of: asOf })),
});

export const healthRoutes = ({ health, version, knowledge }: Parts): readonly Route[] => [
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
      const loaded = knowledge();
      if (loaded === undefined) throw requestErrors.notReady({ headers: { "Retry-After": "1" } });
      const { status, uptimeSeconds } = await health.read();
      return ok({ status, version, uptime_seconds: uptimeSeconds, ...describe(loaded) });
    },
  }),
];
