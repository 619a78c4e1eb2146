import { z } from "zod";

/** Any JSON. Named, so that it also has a name in code generated from the API's description. */
const Json: z.ZodType<z.core.util.JSONType> = z
  .lazy(() =>
    z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(Json), z.record(z.string(), Json)]),
  )
  .meta({ id: "Json", description: "Any JSON object." });

export const JsonObject = z.record(z.string(), Json);
