// The validator's answer. Unknown members are kept.
import { z } from "zod";

const members = z.record(z.string(), z.unknown());
const decision = z.enum(["PASS", "REJECT"]);

const Result = z
  .looseObject({
    status: z.enum(["PASS", "FAIL", "SKIP"]),
    confidence: z.number(),
    reasoning: z.string(),
    details: members,
  })
  .meta({ id: "ValidatorResult", description: "The result of one check." });

const Explanation = z
  .looseObject({
    summary: z.string(),
    decision,
    key_issues: z.array(z.unknown()),
    affected_nodes: members.meta({ description: "Family to the ids of its failed checks." }),
    confidence_summary: members,
    recommendations: z.array(z.string()),
    metadata: members,
  })
  .meta({
    id: "ValidatorExplanation",
    description: "The result of the validation in sentences, with the flagged checks first.",
  });

export const Report = z
  .looseObject({
    decision,
    reason: z.string(),
    protocol: z.string().nullable(),
    primary_failure_node: z.string().nullable(),
    llm_calls: z.number().int(),
    results: z.record(z.string(), Result).meta({ description: "By the id of the check." }),
    extracted_elements: members.meta({
      description: "The request as it was parsed, with positions in its text.",
    }),
    context: members.meta({
      description: "The effects of the transaction, and the facts behind the answer.",
    }),
    explanation: Explanation.nullable(),
  })
  .meta({ id: "ValidatorReport", description: "The validator's full response, stored with the verdict." });
export type Report = z.output<typeof Report>;
