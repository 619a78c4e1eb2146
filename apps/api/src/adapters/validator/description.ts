// The validator's description of a transaction. Unknown members are kept.
import { z } from "zod";

export const Description = z
  .looseObject({
    request: z.string().nullable().meta({
      description:
        "The transaction as a request in plain English. The validator confirms it for this transaction. Null if there is none.",
    }),
    why: z.string().nullable().meta({ description: "Why there is no request." }),
    steps: z
      .array(z.looseObject({ act: z.string(), sentence: z.string().nullable(), why: z.string().nullable() }))
      .meta({ description: "One sentence for each effect, or the reason why it has none." }),
  })
  .meta({ id: "TransactionDescription", description: "A transaction as a canonical request." });
export type Description = z.output<typeof Description>;
