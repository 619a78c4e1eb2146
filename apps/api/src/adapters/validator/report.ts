// The validator's answer, as far as we know it. What it says more stays in it.
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
  .meta({ id: "ValidatorResult" });

const Explanation = z
  .looseObject({
    summary: z.string(),
    decision,
    key_issues: z.array(z.unknown()),
    affected_nodes: members.meta({ description: "Family to the ids of its checks that object." }),
    confidence_summary: members,
    recommendations: z.array(z.string()),
    metadata: members,
  })
  .meta({ id: "ValidatorExplanation" });

export const Report = z
  .looseObject({
    decision,
    reason: z.string(),
    protocol: z.string().nullable(),
    primary_failure_node: z.string().nullable(),
    llm_calls: z.number().int(),
    results: z.record(z.string(), Result).meta({ description: "By the id of the check." }),
    extracted_elements: members.meta({
      description: "What was asked, as it was read, with its places in the words.",
    }),
    context: members.meta({ description: "What the bytes do, and what the answer rests on." }),
    explanation: Explanation.nullable(),
  })
  .meta({ id: "ValidatorReport" });
export type Report = z.output<typeof Report>;
