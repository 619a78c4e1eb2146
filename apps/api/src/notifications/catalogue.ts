// The types of messages, and the changes of a transaction that each stands for.
import type { AccountEvent } from "../events/index.ts";

/** Describes each type in the API's documents. */
export const messageTypes = {
  "transaction.proposed": "An agent proposed a transaction.",
  "transaction.needs_decision": "The verification service has answered, and the owner decides.",
  "transaction.expiring":
    "The owner has not decided, and a quarter of the time for it is left, at most an hour. Sent once.",
  "transaction.approved": "Everything that an approval needs is there. The transaction may be sent.",
  "transaction.blocked": "The verification service rejected it: it differs from the request.",
  "transaction.rejected": "The owner, an administrator or the agent rejected, withdrew or replaced it.",
  "transaction.expired": "It was not decided, or not executed, in time.",
  "transaction.executed": "The chain has executed it, and its block is final.",
  "transaction.used": "What was released is used on the chain, or its nonce is, and the block is final.",
  "transaction.unused":
    "What was released was not used and cannot be any more: it expired, or its nonce is gone.",
  "transaction.failed": "It was approved and not executed: it reverted, or was not sent.",
  "transaction.alert":
    "The chain shows something that was not approved: another call, an execution without approval, or a second one.",
  "transaction.updated": "Any other change, such as a step of its registration.",
} as const;

export type TransactionType = keyof typeof messageTypes;
/** Sent on request only, whatever types a channel chooses. */
export const testType = "webhook.test";
export const channelTestType = "channel.test";
export type TestType = typeof testType | typeof channelTestType;
export type MessageType = TransactionType | TestType;

export const transactionTypes = Object.keys(messageTypes) as [TransactionType, ...TransactionType[]];

type Change = Pick<AccountEvent, "event" | "phase" | "reason">;

const alerting: ReadonlySet<string> = new Set(["seeMismatch", "noticeMismatch", "noticeRepetition"]);
const verdicts: ReadonlySet<string> = new Set(["verdictApproved", "verdictRejected", "verdictUndecided"]);
/** After these the phase says what was decided. */
const deciding: ReadonlySet<string> = new Set([
  ...["grant", "userApproves", "userRejects", "adminApproves", "adminRejects", "agentRejects"],
  ...["supersede", "withdraw"],
]);
/** Events whose type does not depend on the phase. */
const ofItself: Readonly<Record<string, TransactionType>> = {
  propose: "transaction.proposed",
  remind: "transaction.expiring",
  expirePending: "transaction.expired",
  expireReady: "transaction.expired",
  lapse: "transaction.expired",
  confirmUse: "transaction.used",
  endUnused: "transaction.unused",
};
const ending: ReadonlySet<string> = new Set([
  ...["finalize", "seeLateSuccess", "failPreflight", "custodyFails", "loseNonce"],
  // The signature was handed over.
  "release",
]);

const rejectionOf = (reason: string | null): TransactionType =>
  reason === "ORION" ? "transaction.blocked" : "transaction.rejected";

/** An owner may have sent it before its approval. Then it is confirming already. */
function decisionOf({ phase, reason }: Change): TransactionType {
  if (phase === "READY" || phase === "CONFIRMING") return "transaction.approved";
  return phase === "REJECTED" ? rejectionOf(reason) : "transaction.updated";
}

/** Returns the type of the message about a change. */
export function typeOf(change: Change): TransactionType {
  const { event, phase } = change;
  const told = ofItself[event];
  if (told !== undefined) return told;
  if (alerting.has(event) || (event === "seeSuccess" && phase !== "CONFIRMING")) return "transaction.alert";
  if (ending.has(event)) return phase === "EXECUTED" ? "transaction.executed" : "transaction.failed";
  // A verdict that came before the registration takes effect with it.
  if (verdicts.has(event) || event === "register")
    return phase === "AWAITING" ? "transaction.needs_decision" : decisionOf(change);
  return deciding.has(event) ? decisionOf(change) : "transaction.updated";
}

/** Whether the owner is asked to decide. */
export const awaitsDecision = (type: MessageType): boolean =>
  type === "transaction.needs_decision" || type === "transaction.expiring";
