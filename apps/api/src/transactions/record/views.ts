// How transactions and decisions appear in answers. Members that are not named here stay private.
import { z } from "zod";
import { identityOf, shown, UserIdentity, type Account } from "../../accounts/index.ts";
import type { Policy } from "../lifecycle.ts";
import type { Decided } from "../store/index.ts";
import type { Approval, Transaction } from "../transaction.ts";
import { NeedsOwner } from "../grant/needs-owner.ts";
import { PolicyDecision } from "../grant/policy-decision.ts";
import { payloadView, PayloadView } from "./payload-view.ts";
import { documentedMembers, documentedOf, phases, Signed, signedOf } from "./transaction-record.ts";
import { UseView, useView } from "./use-view.ts";
import { Visibility, visibilityOf } from "./visibility.ts";

const decided = { id: z.string(), transactionId: z.string(), createdAt: z.iso.datetime() };
const YesOrNo = z.enum(["APPROVED", "REJECTED"]);

const UserApproval = z
  .object({
    ...decided,
    decision: YesOrNo,
    type: z.enum(["user_ui", "user"]).meta({ description: "user_ui: session. user: signature." }),
    approver: UserIdentity,
    reason: z.string().optional().meta({
      description: "Why the owner rejected it, for the agent. Missing if the owner gave no reason.",
    }),
    verdictSeen: z.enum(["APPROVED", "REJECTED", "UNDECIDED"]).nullable().meta({
      description:
        "The verdict on record when the owner decided; null if there was none yet. An approval with null does not count for an UNDECIDED verdict: the owner is asked again.",
    }),
  })
  .meta({ id: "UserApproval", description: "A decision by the owner." });

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
      .meta({ description: "The signed verdict, which anyone can check. Null if none was sent." }),
  })
  .meta({ id: "OrionApproval", description: "A verdict of the verification service." });

const KeyApproval = z
  .object({
    ...decided,
    decision: YesOrNo,
    type: z
      .enum(["user", "admin"])
      .meta({ description: "user: an API key of the account. admin: an ADMIN key." }),
    label: z.string().nullable(),
    apiKeyId: z.string(),
    effective: z.boolean().meta({
      description: "False: recorded only, without effect on the transaction's status.",
    }),
    note: z.string().nullable().meta({ description: "Why it has no effect. Null if it has one." }),
  })
  .meta({ id: "ApiKeyApproval", description: "A decision by an API key." });

export const ApprovalRecord = z.union([UserApproval, OrionApproval, KeyApproval]);
export type ApprovalRecord = z.infer<typeof ApprovalRecord>;

type Owner = { readonly id: string; readonly account: Account };

const userApproval = (approval: Approval, owner: Owner): z.infer<typeof UserApproval> => ({
  ...about(approval),
  decision: yesOrNo(approval),
  type: approval.type === "user" ? "user" : "user_ui",
  approver: identityOf(owner),
  ...(approval.analysis === null ? {} : { reason: approval.analysis }),
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
  user: "Recorded without effect: an API key cannot approve for its owner. The owner approves with a session or a signature.",
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

/** Returns a decision in the form of its kind. */
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
    arbiter: anyApproved("any key labelled `arbiter`"),
    orion: anyApproved("orion"),
  })
  .meta({
    id: "ApprovalFlags",
    description:
      "Which kinds of approvers have ever approved. A flag stays true after a later rejection: read `status` to act on it.",
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
  // By label alone: an ORION key may also be labelled `arbiter`.
  const byLabel = (label: Approval["label"]) => approved.some((approval) => approval.label === label);
  return {
    user: ofKind(approved, "user").length > 0,
    agent: byLabel("agent"),
    arbiter: byLabel("arbiter"),
    orion: ofKind(approved, "orion").length > 0,
  };
}

/** Only in answers about one transaction, because it may have 64 kB. */
export const ContextLogs = z.record(z.string(), z.unknown()).nullable().meta({
  description:
    "The context as the proposer sent it: unchecked, and never part of what was verified. Null if there was none, and for payloads that the sender encrypted. Not in lists.",
});

/** The mandate of an approval, in every view. */
export const MandateId = z.string().nullable().meta({
  description: "The mandate under which it was approved without its owner. Null if there was none.",
});

export const TransactionView = z
  .object({
    ...documentedMembers,
    tx: z
      .object({ to: z.string(), value: z.string(), data: z.string() })
      .nullable()
      .meta({ description: "Null if the sender encrypted it, and for other shapes." }),
    ...Signed.shape,
    ...PayloadView.shape,
    phase: z.enum(phases),
    reason: z
      .string()
      .nullable()
      .meta({ description: "Why it was rejected or failed or, for UNWATCHED, why its outcome is unknown." }),
    reasonDetail: z.string().nullable().meta({
      description:
        "The reason in a sentence: what a check before sending found, or what the custodian reported.",
    }),
    needsOwner: NeedsOwner.nullable(),
    agent: z.string().meta({
      description:
        "The credential that proposed it, as in a mandate: `key:` and an API key's id, `oauth:` and a grant's id, or `jwt:` or `signature:` and the owner's address.",
    }),
    mandateId: MandateId,
    policyDecision: PolicyDecision.nullable().meta({
      description: "The decision of the owner's policy. Null if there was none, or no verdict yet.",
    }),
    ...Visibility.shape,
    executor: z.enum(["wallet", "service"]).meta({
      description: "Who sends it: a wallet of its owner or agent, or this service through custody.",
    }),
    intentProvenance: z.enum(["user-signed", "agent-claimed"]),
    expiresAt: z.iso.datetime().nullable().meta({ description: "Null once it cannot expire." }),
    transactionHash: z.string().nullable().meta({ description: "The transaction on the chain, if any." }),
    use: UseView.nullable().meta({
      description:
        "Whether the released signature was used. Null if nothing was released, and for transactions.",
    }),
    alert: z.string().nullable(),
    contextLogs: ContextLogs.optional(),
    approvals: ApprovalStatus.extend({ apiKey: z.array(KeyApproval) }),
  })
  .meta({
    id: "TransactionView",
    description: "A transaction with its call, phase, reason and all decisions.",
  });

export const transactionView = (
  { transaction, approvals }: Decided,
  owner: Owner,
): z.infer<typeof TransactionView> => ({
  ...documentedOf(transaction),
  tx: shownCall(transaction),
  ...signedOf(transaction),
  ...payloadView(transaction),
  phase: transaction.phase,
  reason: transaction.reason,
  reasonDetail: transaction.reasonDetail,
  needsOwner: transaction.needsOwner,
  agent: transaction.proposer,
  mandateId: transaction.mandateId,
  policyDecision: transaction.policyDecision,
  ...visibilityOf(transaction),
  executor: transaction.policy.external ? "wallet" : "service",
  intentProvenance: transaction.intentProvenance,
  expiresAt: transaction.expiresAt?.toISOString() ?? null,
  transactionHash: transaction.execution?.hash ?? null,
  use: useView(transaction),
  alert: transaction.alert,
  approvals: {
    ...approvalStatus(approvals, owner),
    apiKey: ofKind(approvals, "key").map((approval) => keyApproval(approval, transaction.policy)),
  },
});

const shownCall = ({ tx }: Transaction): z.infer<typeof TransactionView>["tx"] =>
  tx === null ? null : { to: shown(tx.to), value: tx.value.toString(), data: tx.data };
