import { z } from "zod";

/** The decision of the owner's policy about a transaction, in every view. */
export const PolicyDecision = z
  .object({
    version: z.int().meta({ description: "The version of the policy that decided." }),
    outcome: z.enum(["allow", "ask", "deny"]),
    rules: z
      .array(z.object({ id: z.string(), reason: z.string() }))
      .meta({ description: "The rules that determined it. Empty if none objected or a fact was missing." }),
    message: z.string().nullable().meta({ description: "The reason in a sentence. Null for allow." }),
  })
  .meta({
    id: "PolicyDecision",
    description: "The decision of the owner's policy when the verdict took effect.",
  });
export type PolicyDecision = z.infer<typeof PolicyDecision>;
