import { z } from "zod";
import { requestErrors } from "@countersign/platform/errors";
import { anyOf, ok, parseInput, perIp, route, type Route } from "@countersign/platform/http";
import { contractWalletLimit } from "../../adapters/wallets/index.ts";
import { apiKey } from "../../api-keys/index.ts";
import { idempotencyRefusals, readIdempotencyKey } from "../../platform/idempotency/index.ts";
import { jwt } from "../../sign-in/index.ts";
import { signature } from "../../signed-requests/index.ts";
import type { makeDecide, Wanted } from "./decide.ts";
import type { Decider } from "../caller.ts";
import { transactionErrors } from "../errors.ts";
import { JsonObject } from "../json-object.ts";
import type { ReadTransaction } from "../record/read-transactions.ts";
import { readRequestHash, RequestHash } from "../record/request-hash.ts";
import { ApprovalRecord, TransactionView, transactionView } from "../record/views.ts";
import type { makeWithdraw } from "./withdraw.ts";

const anyCredential = anyOf(apiKey(), jwt, signature);

/** Large enough for a whole validator report. */
const bodyLimitBytes = 1024 * 1024;

/** The members of form 2 that apply to ORION keys only. */
const OrionMembers = z.object({
  confidence: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .meta({ description: "From ORION keys; ignored from others." }),
  analysis: z.string().max(16_000).optional().meta({ description: "From ORION keys; ignored from others." }),
  requestHash: z
    .string()
    .optional()
    .meta({ description: "From ORION keys: that of the path. Ignored from others." }),
});

const Evidence = z.object({
  attestation: JsonObject.optional().meta({ description: "Only from ORION keys: the signed verdict." }),
  report: JsonObject.optional().meta({
    description: "Only from ORION keys: the validator's whole answer.",
  }),
  bundle: z.base64().min(1).optional().meta({
    description:
      "Only from ORION keys, with a report that names it: the validator's request, gzipped, in base64.",
  }),
});

/** For the agent to read. Line breaks are allowed, other control and invisible characters are not. */
const Reason = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .regex(/^(?:[^\p{Cc}\p{Cf}]|\n)*$/u, "must have visible characters only")
  .optional()
  .meta({
    description:
      "Why the owner rejects it, for the agent. From the owner with REJECTED; ignored from others and with APPROVED.",
  });

const OwnerMembers = z.object({ reason: Reason });

const decision = z
  .enum(["APPROVED", "REJECTED", "UNDECIDED"])
  .meta({ description: "UNDECIDED only from ORION keys." });
const approved = z.boolean().meta({ description: "Alternative form: true is APPROVED." });

const DocumentedApproval = z.union([
  OrionMembers.extend({ decision, reason: Reason, ...Evidence.shape }).meta({
    id: "NewDecision",
    description: "A decision, with the evidence of a verification service.",
  }),
  OrionMembers.extend({ approved, reason: Reason, ...Evidence.shape }).meta({
    id: "NewApproval",
    description: "A decision as a boolean, with the evidence of a verification service.",
  }),
]);

const ApprovalBody = Evidence.extend({
  decision: decision.optional(),
  approved: approved.optional(),
  // Parsed once the caller is known: from callers other than ORION keys they are ignored, whatever they contain.
  ...{ confidence: z.unknown(), analysis: z.unknown(), requestHash: z.unknown() },
  reason: z.unknown(),
})
  .partial()
  .refine((body) => (body.decision === undefined) !== (body.approved === undefined), {
    error: "must have either decision or approved",
  });

function wantedOf(body: z.output<typeof ApprovalBody>, caller: Decider): Wanted {
  const { decision: named, approved, confidence, analysis, requestHash, reason, ...more } = body;
  const decision = named ?? (approved === true ? "APPROVED" : "REJECTED");
  const isOrion = caller.scheme === "apiKey" && caller.type === "orion";
  const ofOrion = isOrion ? parseInput("body", OrionMembers, { confidence, analysis, requestHash }) : {};
  const isRejection = caller.scheme !== "apiKey" && decision === "REJECTED";
  const ofOwner = isRejection ? parseInput("body", OwnerMembers, { reason }) : {};
  return { ...more, ...ofOrion, ...ofOwner, decision };
}

/** The same decision in the URL: a wallet shows that line of a request it signs, but only a hash of the body. */
const ApprovalQuery = z.object({
  decision: z.enum(["APPROVED", "REJECTED"]).optional().meta({
    description:
      "Must equal the body's decision. For a wallet to show in the target line of a request it signs.",
  }),
});

/** The decision in the signed URL and the one in the body must agree. */
function readWanted(
  body: z.output<typeof ApprovalBody>,
  query: z.output<typeof ApprovalQuery>,
  caller: Decider,
): Wanted {
  const wanted = wantedOf(body, caller);
  if (query.decision !== undefined && query.decision !== wanted.decision)
    throw transactionErrors.otherDecision();
  return wanted;
}

type Parts = {
  readonly decide: ReturnType<typeof makeDecide>;
  readonly withdraw: ReturnType<typeof makeWithdraw>;
  readonly readTransaction: ReadTransaction;
  /** Per IP address. */
  readonly decisionsPerMinute: number;
};

const approvals = ({ decide, decisionsPerMinute }: Parts): Route =>
  route({
    method: "POST",
    path: "/transactions/{requestHash}/approvals",
    summary: "Decide about a transaction",
    description:
      "By its owner in person (JWT or signature), by an API key, or by the verification service. An approval by an API key is recorded; " +
      "`effective` in the answer says whether it counts. Any rejection is final. Repeating a decision returns the existing record. Accepts an Idempotency-Key. A decision in " +
      "the query must equal the body's: the signer of a request sees it there.",
    tag: "Transactions",
    auth: anyCredential,
    limit: [perIp(decisionsPerMinute), contractWalletLimit],
    params: z.object({ requestHash: RequestHash }),
    query: ApprovalQuery,
    body: ApprovalBody,
    documentedBody: DocumentedApproval,
    bodyLimitBytes,
    replies: { 201: ApprovalRecord },
    refuses: [
      transactionErrors.onlyForOrion,
      transactionErrors.otherRequestHash,
      transactionErrors.otherDecision,
      transactionErrors.wrongAttestation,
      transactionErrors.wrongBundle,
      transactionErrors.notPending,
      transactionErrors.contradiction,
      transactionErrors.otherVerdict,
      requestErrors.forbidden,
      transactionErrors.notYours,
      transactionErrors.notFound,
      ...idempotencyRefusals,
    ],
    handle: async ({ params, query, body, caller, headers }) =>
      decide(readRequestHash(params.requestHash), readWanted(body, query, caller), {
        caller,
        idempotencyKey: readIdempotencyKey(headers),
      }),
  });

const withdrawal = ({ withdraw, readTransaction, decisionsPerMinute }: Parts): Route =>
  route({
    method: "POST",
    path: "/transactions/{requestHash}/withdraw",
    summary: "Withdraw a proposal",
    description: "While it is pending: by its proposer, and by the owner in person.",
    tag: "Transactions",
    auth: anyCredential,
    limit: [perIp(decisionsPerMinute), contractWalletLimit],
    params: z.object({ requestHash: RequestHash }),
    replies: { 200: TransactionView },
    refuses: [transactionErrors.notPending, transactionErrors.notYours, transactionErrors.notFound],
    handle: async ({ params, caller }) => {
      const requestHash = readRequestHash(params.requestHash);
      await withdraw(requestHash, caller);
      const { owner, ...decided } = await readTransaction(requestHash, caller);
      return ok(transactionView(decided, owner));
    },
  });

export const decideRoutes = (parts: Parts): readonly Route[] => [approvals(parts), withdrawal(parts)];
