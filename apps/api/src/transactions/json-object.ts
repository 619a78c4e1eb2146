import { z } from "zod";

/** Any JSON. By name, so that what is made of the interface's description has one too. */
const Json: z.ZodType<z.core.util.JSONType> = z
  .lazy(() =>
    z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(Json), z.record(z.string(), Json)]),
  )
  .meta({ id: "Json" });

export const JsonObject = z.record(z.string(), Json);
