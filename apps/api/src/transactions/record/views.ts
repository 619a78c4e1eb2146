// How transactions and decisions appear in answers. What is not named here does not leave the service.
import { z } from "zod";
import { identityOf, shown, UserIdentity, type Account } from "../../accounts/index.ts";
import { statusOf, statusOfPhase, type Phase, type Policy, type Status } from "../lifecycle.ts";
import type { Decided } from "../store/index.ts";
import type { Approval, Transaction } from "../transaction.ts";
import { Visibility, visibilityOf } from "./visibility.ts";

const decided = { id: z.string(), transactionId: z.string(), createdAt: z.iso.datetime() };
const YesOrNo = z.enum(["APPROVED", "REJECTED"]);

const UserApproval = z
  .object({
    ...decided,
    decision: YesOrNo,
    type: z.enum(["user_ui", "user"]).meta({ description: "user_ui: signed in. user: by signature." }),
    approver: UserIdentity,
    verdictSeen: z.enum(["APPROVED", "REJECTED", "UNDECIDED"]).nullable().meta({
      description:
        "The verdict on record when the owner decided; null if there was none yet. An approval with null does not count for an UNDECIDED verdict: the owner is asked again.",
    }),
  })
  .meta({ id: "UserApproval" });

const OrionApproval = z
  .object({
    ...decided,
    decision: z.enum(["APPROVED", "REJECTED", "UNDECIDED"]),
    type: z.literal("orion"),
    confidence: z.number().meta({ description: "0 to 1; 0 if the verification service sent none" }),
    analysis: z.string().meta({ description: "The reasoning; empty if the verification service sent none" }),
    attestation: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: "The signed verdict, which anybody can check. Null if none was sent." }),
  })
  .meta({ id: "OrionApproval" });

const KeyApproval = z
  .object({
    ...decided,
    decision: YesOrNo,
    type: z.enum(["user", "admin"]).meta({ description: "user: a key of the account. admin: an ADMIN key." }),
    label: z.string().nullable(),
    apiKeyId: z.string(),
    effective: z.boolean().meta({
      description: "False: recorded only. The transaction's status does not depend on it.",
    }),
    note: z.string().nullable().meta({ description: "Why it has no effect. Null if it has one." }),
  })
  .meta({ id: "ApiKeyApproval" });

export const ApprovalRecord = z.union([UserApproval, OrionApproval, KeyApproval]);
export type ApprovalRecord = z.infer<typeof ApprovalRecord>;

type Owner = { readonly id: string; readonly account: Account };

const userApproval = (approval: Approval, owner: Owner): z.infer<typeof UserApproval> => ({
  ...about(approval),
  decision: yesOrNo(approval),
  type: approval.type === "user" ? "user" : "user_ui",
  approver: identityOf(owner),
  verdictSeen: approval.verdictSeen,
});

const orionApproval = (approval: Approval): z.infer<typeof OrionApproval> => ({
  ...about(approval),
  decision: approval.decision,
  type: "orion",
  confidence: approval.confidence ?? 0,
  analysis: approval.analysis ?? "",
  attestation: approval.attestation as Record<string, unknown> | null,
});

const noEffect = {
  user: "Recorded without effect: an API key cannot approve for its owner. The owner approves signed in or by signature.",
  admin:
    "Recorded without effect: an ADMIN key's approval does not count for this transaction. The owner or the verification service decides.",
};

const keyApproval = (approval: Approval, { adminMayApprove }: Policy): z.infer<typeof KeyApproval> => {
  const type = approval.type === "admin" ? "admin" : "user";
  // A rejection is always final.
  const effective = approval.decision === "REJECTED" || (type === "admin" && adminMayApprove);
  return {
    ...about(approval),
    decision: yesOrNo(approval),
    type,
    label: approval.label,
    apiKeyId: approval.apiKeyId ?? "",
    effective,
    note: effective ? null : noEffect[type],
  };
};

const about = ({ id, transactionId, createdAt }: Approval) => ({
  id,
  transactionId,
  createdAt: createdAt.toISOString(),
});

const yesOrNo = ({ decision }: Approval): "APPROVED" | "REJECTED" =>
  decision === "APPROVED" ? "APPROVED" : "REJECTED";

/** A decision in the form that its kind has. */
export const approvalRecord = (approval: Approval, owner: Owner, policy: Policy): ApprovalRecord =>
  approval.kind === "user"
    ? userApproval(approval, owner)
    : approval.kind === "orion"
      ? orionApproval(approval)
      : keyApproval(approval, policy);

export const ApprovalStatus = z
  .object({ user: z.array(UserApproval), orion: z.array(OrionApproval) })
  .meta({ id: "ApprovalStatus", description: "While `orion` is empty the verification is still pending." });

const anyApproved = (who: string) => z.boolean().meta({ description: `True once ${who} approved.` });

export const ApprovalFlags = z
  .object({
    user: anyApproved("any user"),
    agent: anyApproved("any key labelled agent"),
    arbiter: anyApproved("any key labelled arbiter"),
    orion: anyApproved("orion"),
  })
  .meta({
    id: "ApprovalFlags",
    description:
      "Who has ever approved. A flag stays true after a later rejection: read `status` to act on it.",
  });

const ofKind = (approvals: readonly Approval[], kind: Approval["kind"]): readonly Approval[] =>
  approvals.filter((approval) => approval.kind === kind);

/** The documented form: the owner's decisions and the verdict. */
export const approvalStatus = (
  approvals: readonly Approval[],
  owner: Owner,
): z.infer<typeof ApprovalStatus> => ({
  user: ofKind(approvals, "user").map((approval) => userApproval(approval, owner)),
  orion: ofKind(approvals, "orion").map(orionApproval),
});

/** The form with booleans: "any … approved", so that a later rejection by the same approver does not clear a flag. */
export function approvalFlags(approvals: readonly Approval[]): z.infer<typeof ApprovalFlags> {
  const approved = approvals.filter(({ decision }) => decision === "APPROVED");
  // By label alone: an ORION key may be labelled arbiter too.
  const byLabel = (label: Approval["label"]) => approved.some((approval) => approval.label === label);
  return {
    user: ofKind(approved, "user").length > 0,
    agent: byLabel("agent"),
    arbiter: byLabel("arbiter"),
    orion: ofKind(approved, "orion").length > 0,
  };
}

const phases = Object.keys(statusOfPhase) as [Phase, ...Phase[]];
const statuses = [...new Set(Object.values(statusOfPhase))] as [Status, ...Status[]];

/** In answers about one transaction: it may have 64 kB. */
export const ContextLogs = z.record(z.string(), z.unknown()).nullable().meta({
  description:
    "The context as the proposer sent it: unchecked, and never part of what was verified. Null if there was none, and of what the sender sealed. Not in lists.",
});

export const TransactionView = z
  .object({
    id: z.string(),
    requestHash: z.string(),
    description: z.string(),
    status: z.enum(statuses),
    execution: z.number().meta({ description: "0 DIRECT_USER, 1 USER_EXECUTED, 2 AGENT_EXECUTED" }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    escrowAddress: z.string(),
    chainId: z.number(),
    tx: z
      .object({ to: z.string(), value: z.string(), data: z.string() })
      .nullable()
      .meta({ description: "Null if the sender sealed it." }),
    phase: z.enum(phases),
    reason: z
      .string()
      .nullable()
      .meta({ description: "Why it was rejected, failed, or (UNWATCHED) why its outcome is not known." }),
    reasonDetail: z.string().nullable().meta({
      description: "The reason in a sentence: what a check before sending found, what the custodian said.",
    }),
    ...Visibility.shape,
    executor: z.enum(["wallet", "service"]).meta({
      description: "Who sends it: a wallet of its owner or agent, or this service through custody.",
    }),
    intentProvenance: z.enum(["user-signed", "agent-claimed"]),
    expiresAt: z.iso.datetime().nullable().meta({ description: "Null once it cannot expire." }),
    transactionHash: z.string().nullable().meta({ description: "What the chain carried it in, if it has." }),
    alert: z.string().nullable(),
    contextLogs: ContextLogs.optional(),
    approvals: ApprovalStatus.extend({ apiKey: z.array(KeyApproval) }),
  })
  .meta({ id: "TransactionView" });

export const transactionView = (
  { transaction, approvals }: Decided,
  owner: Owner,
): z.infer<typeof TransactionView> => ({
  id: transaction.id,
  requestHash: transaction.requestHash,
  description: transaction.description,
  status: statusOf(transaction),
  execution: transaction.executionType,
  createdAt: transaction.createdAt.toISOString(),
  updatedAt: transaction.updatedAt.toISOString(),
  escrowAddress: shown(transaction.escrow),
  chainId: transaction.chainId,
  tx: shownCall(transaction),
  phase: transaction.phase,
  reason: transaction.reason,
  reasonDetail: transaction.reasonDetail,
  ...visibilityOf(transaction),
  executor: transaction.policy.external ? "wallet" : "service",
  intentProvenance: transaction.intentProvenance,
  expiresAt: transaction.expiresAt?.toISOString() ?? null,
  transactionHash: transaction.execution?.hash ?? null,
  alert: transaction.alert,
  approvals: {
    ...approvalStatus(approvals, owner),
    apiKey: ofKind(approvals, "key").map((approval) => keyApproval(approval, transaction.policy)),
  },
});

const shownCall = ({ tx }: Transaction): z.infer<typeof TransactionView>["tx"] =>
  tx === null ? null : { to: shown(tx.to), value: tx.value.toString(), data: tx.data };
