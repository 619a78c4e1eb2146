import { z } from "zod";
import { requestErrors } from "@countersign/platform/errors";
import { ok, open, route, unlimited, type Route } from "@countersign/platform/http";
import { PoolBusy } from "@countersign/platform/pool";
import { DescribeRequest, ValidateRequest } from "../request/index.ts";
import type { Checker } from "./checker.ts";
import { validateErrors } from "./errors.ts";

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
  .meta({ id: "NodeResult", description: "The result of one check." });

const Explanation = z
  .object({
    summary: z.string(),
    decision: z.enum(["PASS", "REJECT"]),
    key_issues: z.array(z.unknown()).readonly(),
    affected_nodes: members.meta({ description: "Ids of the failed checks, by family." }),
    confidence_summary: members,
    recommendations: z.array(z.string()).readonly(),
    metadata: members,
  })
  .meta({
    id: "Explanation",
    description: "The result of the validation in sentences, with the flagged checks first.",
  });

const span = z
  .tuple([z.number().int(), z.number().int()])
  .readonly()
  .meta({ description: "Half-open range in the request, in UTF-16 units." });

const Assessment = z
  .object({
    kind: z.enum(["entailed", "contradicted", "not_understood", "not_checked"]).meta({
      description:
        "entailed: the transaction does what was requested. contradicted: it differs. not_understood, not_checked: could not be verified; no difference is claimed. Only entailed can be PASS.",
    }),
    unread: z.array(z.object({ span, text: z.string(), why: z.string() })).readonly(),
    missing: z.array(z.object({ what: z.string(), why: z.string() })).readonly(),
    restated: z
      .string()
      .meta({ description: "The request as it was read, in one sentence; empty if it was not read." }),
    by_effect: z
      .object({ contract: z.string(), block: z.object({ number: z.string(), hash: z.string() }) })
      .optional()
      .meta({
        description:
          "Present if the called contract is in no table and the transaction was checked by its effect on the state of this block. Its calldata was not read.",
      }),
  })
  .meta({ id: "Assessment", description: "The outcome of the comparison between request and transaction." });

const VerdictSchema = z
  .object({
    decision: z.enum(["PASS", "REJECT"]),
    reason: z.string(),
    protocol: z.string().nullable(),
    primary_failure_node: z.string().nullable(),
    llm_calls: z.number().int(),
    results: z.record(z.string(), NodeResult),
    extracted_elements: members.meta({
      description: "The intent as it was read, with its positions in the request.",
    }),
    context: members.meta({ description: "The effects of the transaction, and the basis of the verdict." }),
    explanation: Explanation.nullable(),
    assessment: Assessment,
  })
  .meta({ id: "Verdict", description: "The validator's response." });

const DescriptionSchema = z
  .object({
    request: z.string().nullable().meta({
      description:
        "The transaction as a request in plain English: reading it with the same transaction gives entailed. Null if there is none.",
    }),
    why: z.string().nullable().meta({ description: "Why there is no request." }),
    steps: z
      .array(z.object({ act: z.string(), sentence: z.string().nullable(), why: z.string().nullable() }))
      .readonly()
      .meta({ description: "One sentence for each effect, or the reason why it has none." }),
  })
  .meta({ id: "Description", description: "A transaction as a canonical request." });

const bodyLimitBytes = 2 * 1024 * 1024;
/** 20,000 characters that JSON escapes, and 64 kB of calldata in hex, with some reserve. */
const publicBodyLimitBytes = 320 * 1024;

const soon = { headers: { "Retry-After": "1" } };

type Parts = { readonly checker: Pick<Checker, "about" | "check" | "describe"> };

async function answer<T>({ checker }: Parts, ask: () => Promise<T>): Promise<T> {
  if (checker.about() === undefined) throw requestErrors.notReady(soon);
  try {
    return await ask();
  } catch (error) {
    if (error instanceof PoolBusy) throw validateErrors.busy({ ...soon, cause: error });
    throw error;
  }
}

export const validateRoutes = (parts: Parts): readonly Route[] => [
  route({
    method: "POST",
    path: "/validate",
    summary: "Check that a transaction does what was requested, and nothing else",
    description:
      "A rejected transaction is a 200 whose decision is REJECT, with a reason for every check. A check that uses more CPU time than one " +
      "request may is stopped: the answer is a REJECT whose assessment is not_checked.",
    tag: "Validation",
    auth: open,
    limit: unlimited,
    body: ValidateRequest,
    bodyLimitBytes,
    replies: { 200: VerdictSchema },
    refuses: [requestErrors.notReady, validateErrors.busy, requestErrors.internal],
    handle: async ({ body }) => ok({ ...(await answer(parts, () => parts.checker.check(body, "ordinary"))) }),
  }),
  route({
    method: "POST",
    path: "/public/validate",
    summary: "Check a transaction without an account",
    description:
      "Answers like POST /validate, from worker threads of its own with a short queue, so that anonymous callers cannot delay the " +
      "requests of known callers. The main service sends its POST /public/validate here.",
    tag: "Validation",
    auth: open,
    limit: unlimited,
    body: ValidateRequest,
    bodyLimitBytes: publicBodyLimitBytes,
    replies: { 200: VerdictSchema },
    refuses: [requestErrors.notReady, validateErrors.busy, requestErrors.internal],
    handle: async ({ body }) => ok({ ...(await answer(parts, () => parts.checker.check(body, "public"))) }),
  }),
  route({
    method: "POST",
    path: "/public/describe",
    summary: "Describe a transaction as a request",
    description:
      "Returns the canonical request for a transaction: a sentence for each effect, with full addresses and exact amounts. It was read " +
      "back, and the validator confirms it for this transaction. A transaction that cannot be described is a 200 whose request is null, " +
      "with the reason. A description is not a verdict. It runs in the worker threads of POST /public/validate.",
    tag: "Validation",
    auth: open,
    limit: unlimited,
    body: DescribeRequest,
    bodyLimitBytes: publicBodyLimitBytes,
    replies: { 200: DescriptionSchema },
    refuses: [requestErrors.notReady, validateErrors.busy, requestErrors.internal],
    handle: async ({ body }) => ok({ ...(await answer(parts, () => parts.checker.describe(body))) }),
  }),
];
