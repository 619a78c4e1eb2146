// Texts for the state of a transaction, derived only from the service's response.
import type { TransactionView } from "@countersign/sdk";
import { chainName } from "../../lib/chains.ts";
import type { Tone } from "../../components/badge.tsx";
import { verdictWords } from "../../components/verdict-words.ts";
import { releasedOf } from "./releasing.ts";
import { useWordsOf } from "./use-words.ts";

export type Group = "needs-you" | "in-progress" | "blocked" | "decided";

/** The owner's wallet has to send it: execution types 0 and 1 without a custodian. */
export const isForOwnersWallet = (transaction: TransactionView): boolean => {
  const { phase, executor, execution } = transaction;
  return (
    phase === "READY" && executor === "wallet" && execution !== 2 && releasedOf(transaction) === undefined
  );
};

export function groupOf(transaction: TransactionView): Group {
  const { phase, status, reason, alert } = transaction;
  if (phase === "AWAITING" || isForOwnersWallet(transaction)) return "needs-you";
  if (reason === "ORION" || alert !== null) return "blocked";
  if (phase === "LAPSED") return "decided";
  return status === "PENDING" || status === "APPROVED" ? "in-progress" : "decided";
}

const dueAt = ({ expiresAt }: TransactionView): number =>
  expiresAt === null ? Infinity : Date.parse(expiresAt);

/** Sorts by expiry under Needs you, elsewhere newest first. */
export const inOrder = (group: Group, rows: readonly TransactionView[]): readonly TransactionView[] =>
  rows.toSorted(
    (one, other) =>
      (group === "needs-you" ? dueAt(one) - dueAt(other) || 0 : 0) ||
      Date.parse(other.createdAt) - Date.parse(one.createdAt),
  );

export type Said = { readonly tone: Tone; readonly word: string };

export const verdictOf = ({ approvals, status }: TransactionView): Said => {
  const [verdict] = approvals.orion;
  if (verdict !== undefined) return verdictWords[verdict.decision];
  return status === "PENDING" ? { tone: "waiting", word: "Checking" } : { tone: "none", word: "Not checked" };
};

/**
 * Returns the owner's last decision that counts. An approval given before an UNDECIDED verdict does not: the owner is asked
 * again with the report in view.
 */
export const ownersDecision = ({ approvals }: TransactionView): "APPROVED" | "REJECTED" | undefined =>
  approvals.user
    .filter(({ verdictSeen }) => verdictSeen !== null || approvals.orion[0]?.decision !== "UNDECIDED")
    .toSorted((one, other) => Date.parse(one.createdAt) - Date.parse(other.createdAt))
    .at(-1)?.decision;

/** Returns the first line, truncated. */
export function firstLineOf(text: string): string {
  const [line = ""] = text.trim().split("\n");
  return line.length <= 240 ? line : `${line.slice(0, 239).trimEnd()}…`;
}

/** Returns why the verifier blocked it. */
export function flagReasonOf({ approvals, reason }: TransactionView): string | undefined {
  const [verdict] = approvals.orion;
  if (verdict === undefined || verdict.decision === "APPROVED" || verdict.analysis === "") return undefined;
  // If someone else rejected it, the verdict is not the reason.
  return reason === null || reason === "ORION" ? firstLineOf(verdict.analysis) : undefined;
}

export type Headline = Said & {
  /** Explains the status and what the owner has to do. */
  readonly detail: string;
};

const say = (tone: Tone, word: string, detail: string): Headline => ({ tone, word, detail });

const rejections: Readonly<Record<string, Headline>> = {
  ORION: say("bad", "Blocked", "No one can approve this proposal. There’s nothing you have to do."),
  USER: say("over", "You rejected this", "Nothing was sent."),
  ADMIN: say("over", "An administrator rejected this", "Nothing was sent."),
  AGENT: say("over", "An agent rejected this", "Nothing was sent."),
  EXPIRED: say("over", "Expired", "No one decided in time. The agent can propose it again."),
  POLICY: say("over", "Denied by your policy", "A rule that you signed denies it."),
  SUPERSEDED: say("over", "Replaced by a newer proposal", "The newer one is in your inbox."),
  WITHDRAWN: say("over", "Withdrawn", "The agent withdrew it. There’s nothing you have to do."),
};

const failures: Readonly<Record<string, Headline>> = {
  EXPIRED: say(
    "over",
    "Approved, but not sent in time",
    "The approval has expired. The agent can propose it again.",
  ),
  PREFLIGHT: say(
    "bad",
    "Not sent: its effect has changed",
    "A final check found that it no longer does what was checked.",
  ),
  REVERTED: say("bad", "Failed on the chain", "It reverted. Nothing moved except the network fee."),
  REPLACED: say("over", "Replaced by another transaction", "What you approved wasn’t sent."),
  MISMATCH: say(
    "bad",
    "Something else was sent",
    "The transaction on the chain isn’t the one you approved. Find out who sent it.",
  ),
  CUSTODY: say("bad", "Your custodian didn’t send it", "What you approved wasn’t sent."),
};

function awaiting(transaction: TransactionView): Headline {
  const [verdict] = transaction.approvals.orion;
  return verdict?.decision === "UNDECIDED"
    ? say(
        "open",
        "Could not be verified: your decision",
        "We can’t tell whether it does what you asked. That isn’t an all-clear. Read it before you decide.",
      )
    : say("waiting", "Needs your decision", "It’s been checked. Nothing is sent until you approve.");
}

function judging(transaction: TransactionView): Headline {
  if (ownersDecision(transaction) === "APPROVED")
    return say(
      "waiting",
      "You approved it. Still checking.",
      "It continues once it’s been checked. You can still reject it.",
    );
  return transaction.approvals.orion.length > 0
    ? say("waiting", "Checked, saving the result", "You don’t have to do anything yet.")
    : say("waiting", "Checking", "You don’t have to do anything yet. You can reject it at any time.");
}

function ready(transaction: TransactionView): Headline {
  if (isForOwnersWallet(transaction))
    return say(
      "good",
      "Approved. Send it with your wallet.",
      "Send it here, or from the wallet itself. You can cancel until it’s sent.",
    );
  const released = releasedOf(transaction);
  if (released !== undefined) return say("good", ...released.ready);
  const detail = "You can cancel until it’s sent.";
  return transaction.executor === "wallet"
    ? say("good", "Approved. The agent can send it.", detail)
    : say("good", "Approved. Sending soon.", detail);
}

const sending = say("waiting", "Sending", "It can’t be stopped here any more.");
const executed = (transaction: TransactionView): Headline => {
  const used = useWordsOf(transaction);
  if (used !== undefined) return say(used.tone, used.word, used.detail);
  return say(
    "good",
    ...(releasedOf(transaction)?.executed ??
      (["Executed", `Final on ${chainName(transaction.chainId)}.`] as const)),
  );
};

const headlines: Readonly<
  Record<TransactionView["phase"], Headline | ((transaction: TransactionView) => Headline)>
> = {
  RECEIVED: judging,
  PINNED: judging,
  REGISTERED: judging,
  AWAITING: awaiting,
  READY: ready,
  EXECUTING: sending,
  BROADCAST: sending,
  CONFIRMING: say(
    "waiting",
    "In a block, not final yet",
    "Blocks this recent can still change. You don’t have to do anything.",
  ),
  LAPSED: ({ reasonDetail }) =>
    say(
      "open",
      "Approval expired; outcome unknown",
      reasonDetail ?? "Check your wallet before proposing again.",
    ),
  EXECUTED: executed,
  SETTLED: executed,
  REJECTED: ({ reason }) => rejections[reason ?? ""] ?? say("over", "Rejected", "Nothing was sent."),
  FAILED: ({ reason }) => failures[reason ?? ""] ?? say("bad", "Failed", "What you approved wasn’t sent."),
};

const sentByWallet = say(
  "waiting",
  "Sent by your wallet",
  "Waiting for the service to see it on the chain. You don’t have to do anything.",
);

/** `sending`: what the wallet in this browser returned, before the service has seen it. */
export function headlineOf(
  transaction: TransactionView,
  sending?: { readonly hash: string | undefined },
): Headline {
  if (isForOwnersWallet(transaction) && sending?.hash !== undefined) return sentByWallet;
  const headline = headlines[transaction.phase];
  const said = typeof headline === "function" ? headline(transaction) : headline;
  const { notice } = transaction;
  return notice === null ? said : { ...said, detail: `${said.detail} ${notice}` };
}

const alerts: Readonly<Record<string, Headline>> = {
  EXECUTED_WITHOUT_APPROVAL: say(
    "bad",
    "Sent without approval",
    "This transaction is on the chain, and no one approved it here. If you didn’t send it, your key isn’t safe: move your funds.",
  ),
  MISMATCH: say(
    "bad",
    "Your wallet sent something else",
    "You approved this, but a different transaction was sent to the same address, or your custodian has a different one on record. Find out what was sent before you do anything else.",
  ),
  EXECUTED_TWICE: say(
    "bad",
    "Sent twice",
    "The same transaction was sent again without a proposal. One approval was used twice.",
  ),
};

/** Returns an alert that the owner must see in any state. */
export const alertOf = ({ alert }: TransactionView): Headline | undefined =>
  alert === null
    ? undefined
    : (alerts[alert] ?? say("bad", "Something’s wrong with this transaction", `The service says: ${alert}.`));

const statuses: Readonly<Record<TransactionView["status"], Said>> = {
  PENDING: { tone: "waiting", word: "Waiting" },
  APPROVED: { tone: "good", word: "Approved" },
  REJECTED: { tone: "over", word: "Rejected" },
  EXECUTED: { tone: "good", word: "Executed" },
  FAILED: { tone: "bad", word: "Failed" },
};

/** Endings that no one rejected. */
const endings: Readonly<Record<string, string>> = {
  EXPIRED: "Expired",
  SUPERSEDED: "Replaced",
  WITHDRAWN: "Withdrawn",
  ORION: "Blocked",
};

function releasedStatus(transaction: TransactionView): Said {
  const used = useWordsOf(transaction);
  return used === undefined ? { tone: "good", word: "Released" } : { tone: used.tone, word: used.status };
}

export function statusOf(transaction: TransactionView): Said {
  const { status, phase, reason } = transaction;
  const ending = endings[reason ?? ""];
  if ((status === "REJECTED" || (status === "FAILED" && reason === "EXPIRED")) && ending !== undefined)
    return { tone: reason === "ORION" ? "bad" : "over", word: ending };
  if (phase === "AWAITING") return { tone: "waiting", word: "Needs you" };
  if (phase === "LAPSED") return { tone: "open", word: "Outcome unknown" };
  if (isForOwnersWallet(transaction)) return { tone: "waiting", word: "Ready to send" };
  return status === "EXECUTED" && releasedOf(transaction) !== undefined
    ? releasedStatus(transaction)
    : statuses[status];
}

/** The owner may reject until the intent to send is durable; the service has the final say. */
export const mayReject = ({ status, phase }: TransactionView): boolean =>
  status === "PENDING" || phase === "READY";

/** Approval is possible once there is a verdict: before that it would have no effect. */
export const mayApprove = (transaction: TransactionView): boolean =>
  transaction.status === "PENDING" &&
  transaction.approvals.orion.length > 0 &&
  transaction.approvals.orion.every(({ decision }) => decision !== "REJECTED") &&
  ownersDecision(transaction) === undefined;
