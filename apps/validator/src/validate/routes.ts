import { z } from "zod";
import { requestErrors } from "@countersign/platform/errors";
import { ok, open, route, unlimited, type Route } from "@countersign/platform/http";
import { ValidateRequest } from "../request/index.ts";
import type { Engine } from "./engine.ts";
import { validate } from "./validate.ts";

const members = z.record(z.string(), z.unknown());

const NodeResult = z
  .object({
    status: z.enum(["PASS", "FAIL", "SKIP"]),
    confidence: z.number(),
    reasoning: z.string(),
    details: members.meta({
      description: "needs, severity, evidence, observed, expected, where, words, fix, remedy, skip_kind.",
    }),
  })
  .meta({ id: "NodeResult" });

const Explanation = z
  .object({
    summary: z.string(),
    decision: z.enum(["PASS", "REJECT"]),
    key_issues: z.array(z.unknown()).readonly(),
    affected_nodes: members.meta({ description: "Family to the ids of its checks that object." }),
    confidence_summary: members,
    recommendations: z.array(z.string()).readonly(),
    metadata: members,
  })
  .meta({ id: "Explanation" });

const span = z
  .tuple([z.number().int(), z.number().int()])
  .readonly()
  .meta({ description: "Half-open range in the request, in UTF-16 units." });

const Assessment = z
  .object({
    kind: z.enum(["entailed", "contradicted", "not_understood", "not_checked"]).meta({
      description:
        "entailed: the transaction does what was asked. contradicted: it differs. not_understood, not_checked: could not be verified; no difference is claimed. Only entailed can be PASS.",
    }),
    unread: z.array(z.object({ span, text: z.string(), why: z.string() })).readonly(),
    missing: z.array(z.object({ what: z.string(), why: z.string() })).readonly(),
    restated: z
      .string()
      .meta({ description: "The request as it was read, in one sentence; empty where it was not." }),
  })
  .meta({ id: "Assessment" });

const Verdict = z
  .object({
    decision: z.enum(["PASS", "REJECT"]),
    reason: z.string(),
    protocol: z.string().nullable(),
    primary_failure_node: z.string().nullable(),
    llm_calls: z.number().int(),
    results: z.record(z.string(), NodeResult),
    extracted_elements: members.meta({
      description: "What was asked, as it was read, with its places in the words.",
    }),
    context: members.meta({ description: "What the bytes do, and what the verdict rests on." }),
    explanation: Explanation.nullable(),
    assessment: Assessment,
  })
  .meta({ id: "Verdict" });

const bodyLimitBytes = 2 * 1024 * 1024;

/** `engine` gives nothing until everything it needs is loaded. */
export const validateRoutes = ({
  engine,
}: {
  readonly engine: () => Engine | undefined;
}): readonly Route[] => [
  route({
    method: "POST",
    path: "/validate",
    summary: "Does this transaction do what was asked, and nothing else?",
    description: "A rejected transaction is a 200 whose decision is REJECT, with a reason for every check.",
    tag: "Validation",
    auth: open,
    limit: unlimited,
    body: ValidateRequest,
    bodyLimitBytes,
    replies: { 200: Verdict },
    refuses: [requestErrors.notReady, requestErrors.internal],
    handle: async ({ body }) => {
      const ready = engine();
      if (ready === undefined) throw requestErrors.notReady({ headers: { "Retry-After": "1" } });
      return ok({ ...(await validate(body, ready)) });
    },
  }),
];
