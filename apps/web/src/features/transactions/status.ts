// What is so, in words. Nothing is decided here: each sentence follows from members of the service's own answer.
import type { TransactionView } from "@countersign/sdk";
import type { Tone } from "../../components/badge.tsx";
import { verdictWords } from "../../components/verdict-words.ts";

export type Group = "needs-you" | "in-progress" | "decided";

/** The owner's own wallet is to send it: types 0 and 1, where the service does not. */
export const isForOwnersWallet = ({ phase, executor, execution }: TransactionView): boolean =>
  phase === "READY" && executor === "wallet" && execution !== 2;

export function groupOf(transaction: TransactionView): Group {
  const { phase, status } = transaction;
  if (phase === "AWAITING" || isForOwnersWallet(transaction)) return "needs-you";
  if (phase === "LAPSED") return "decided";
  return status === "PENDING" || status === "APPROVED" ? "in-progress" : "decided";
}

const dueAt = ({ expiresAt }: TransactionView): number =>
  expiresAt === null ? Infinity : Date.parse(expiresAt);

/** What is due first comes first; elsewhere the newest. */
export const inOrder = (group: Group, rows: readonly TransactionView[]): readonly TransactionView[] =>
  rows.toSorted(
    (one, other) =>
      (group === "needs-you" ? dueAt(one) - dueAt(other) || 0 : 0) ||
      Date.parse(other.createdAt) - Date.parse(one.createdAt),
  );

const toldAtMost = 3;

/** What asks nothing of its owner and should be seen all the same: stopped by the arbiter, or gone wrong. The newest of it. */
export const worthSeeing = (rows: readonly TransactionView[]): readonly TransactionView[] =>
  inOrder("decided", rows)
    .filter((row) => groupOf(row) !== "needs-you" && (row.reason === "ORION" || row.alert !== null))
    .slice(0, toldAtMost);

export type Said = { readonly tone: Tone; readonly word: string };

export const verdictOf = ({ approvals, status }: TransactionView): Said => {
  const [verdict] = approvals.orion;
  if (verdict !== undefined) return verdictWords[verdict.decision];
  return status === "PENDING"
    ? { tone: "waiting", word: "Not judged yet" }
    : { tone: "none", word: "Not judged" };
};

/**
 * Returns the owner's last decision that counts. An approval given before an UNDECIDED verdict does not: the owner is asked
 * again with the report in view.
 */
export const ownersWord = ({ approvals }: TransactionView): "APPROVED" | "REJECTED" | undefined =>
  approvals.user
    .filter(({ verdictSeen }) => verdictSeen !== null || approvals.orion[0]?.decision !== "UNDECIDED")
    .toSorted((one, other) => Date.parse(one.createdAt) - Date.parse(other.createdAt))
    .at(-1)?.decision;

/** The beginning of what somebody wrote: its first line, and of that no more than is read at a glance. */
export function beginningOf(text: string): string {
  const [line = ""] = text.trim().split("\n");
  return line.length <= 240 ? line : `${line.slice(0, 239).trimEnd()}…`;
}

/** Why it was stopped, in the arbiter's own words. */
export function objectionOf({ approvals, reason }: TransactionView): string | undefined {
  const [verdict] = approvals.orion;
  if (verdict === undefined || verdict.decision === "APPROVED" || verdict.analysis === "") return undefined;
  // Rejected by somebody else, it is not what stopped it.
  return reason === null || reason === "ORION" ? beginningOf(verdict.analysis) : undefined;
}

export type Headline = Said & {
  /** What follows, and what is asked of whoever reads it. */
  readonly detail: string;
};

const say = (tone: Tone, word: string, detail: string): Headline => ({ tone, word, detail });

const rejections: Readonly<Record<string, Headline>> = {
  ORION: say(
    "bad",
    "Stopped: the arbiter objected",
    "It is over. Nobody can approve it any more, and there is nothing for you to do.",
  ),
  USER: say("over", "You rejected it", "It is over, and nothing was sent."),
  ADMIN: say("over", "An administrator rejected it", "It is over, and nothing was sent."),
  AGENT: say("over", "A key of your account rejected it", "It is over, and nothing was sent."),
  EXPIRED: say("over", "It expired", "Nobody decided in time. It is over, and it can be proposed again."),
  SUPERSEDED: say(
    "over",
    "Another proposal took its place",
    "It is over. Look for the newer one in your inbox.",
  ),
  WITHDRAWN: say(
    "over",
    "It was taken back",
    "Whoever proposed it has withdrawn it. There is nothing for you to do.",
  ),
};

const failures: Readonly<Record<string, Headline>> = {
  EXPIRED: say(
    "over",
    "Approved, and not sent in time",
    "The approval has run out. It can be proposed again.",
  ),
  PREFLIGHT: say(
    "bad",
    "Not sent: it would do something else now",
    "A last look before sending found that it no longer does what was judged.",
  ),
  REVERTED: say("bad", "The chain refused it", "It was sent and reverted: nothing moved except the fee."),
  REPLACED: say(
    "over",
    "Another transaction took its place on the chain",
    "What was approved was not carried out.",
  ),
  MISMATCH: say(
    "bad",
    "Something else was sent",
    "What is on the chain is not what was approved. Find out who sent it.",
  ),
  CUSTODY: say("bad", "Whoever keeps the wallet would not send it", "What was approved was not carried out."),
};

function awaiting(transaction: TransactionView): Headline {
  const [verdict] = transaction.approvals.orion;
  return verdict?.decision === "UNDECIDED"
    ? say(
        "open",
        "Your decision is needed, and the arbiter could not help",
        "It could not find out whether this does what was asked. Read it yourself before you decide.",
      )
    : say(
        "waiting",
        "Your decision is needed",
        "The arbiter has judged it. Nothing happens until you approve or reject it.",
      );
}

function judging(transaction: TransactionView): Headline {
  if (ownersWord(transaction) === "APPROVED")
    return say(
      "waiting",
      "You approved it; it is not judged yet",
      "It goes on once the arbiter has judged it. You can still reject it.",
    );
  return transaction.approvals.orion.length > 0
    ? say("waiting", "Judged, and being recorded", "Nothing is asked of you yet.")
    : say("waiting", "Being judged", "Nothing is asked of you yet. You can reject it at any time.");
}

function ready(transaction: TransactionView): Headline {
  if (isForOwnersWallet(transaction))
    return say(
      "good",
      "Approved: your wallet has yet to send it",
      "Send it from here, or with the wallet that holds the money. Until then you can take it back.",
    );
  const detail = "You can still take it back by rejecting it.";
  return transaction.executor === "wallet"
    ? say("good", "Approved: the agent may send it", detail)
    : say("good", "Approved: it is about to be sent for you", detail);
}

const sending = say("waiting", "Approved, and being sent", "It cannot be stopped here any more.");
const executed = say("good", "Executed", "It is on the chain, and final.");

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
    "On the chain, not final yet",
    "It is in a block that can still change. Nothing is asked of you.",
  ),
  LAPSED: ({ reasonDetail }) =>
    say(
      "open",
      "Approval expired; outcome unknown",
      reasonDetail ?? "Check your wallet before proposing again.",
    ),
  EXECUTED: executed,
  SETTLED: executed,
  REJECTED: ({ reason }) =>
    rejections[reason ?? ""] ?? say("over", "Rejected", "It is over, and nothing was sent."),
  FAILED: ({ reason }) =>
    failures[reason ?? ""] ?? say("bad", "It failed", "What was approved was not carried out."),
};

/** The state in a sentence, and what is asked. */
export function headlineOf(transaction: TransactionView): Headline {
  const headline = headlines[transaction.phase];
  const said = typeof headline === "function" ? headline(transaction) : headline;
  const { notice } = transaction;
  return notice === null ? said : { ...said, detail: `${said.detail} ${notice}` };
}

const alerts: Readonly<Record<string, Headline>> = {
  EXECUTED_WITHOUT_APPROVAL: say(
    "bad",
    "It was sent although it was not approved",
    "The chain carries this very transaction, and nobody approved it here. Whoever holds the wallet's key sent it. If that was not you, the key is not safe.",
  ),
  MISMATCH: say(
    "bad",
    "The wallet sent something else",
    "While this was approved, other bytes went to the same place, or whoever sends it has other bytes on record. Find out what was sent before you do anything else.",
  ),
  EXECUTED_TWICE: say(
    "bad",
    "It was sent twice",
    "The same bytes went out once more, for no proposal. One approval was spent two times.",
  ),
};

/** What somebody should look at, whatever else is so. */
export const alertOf = ({ alert }: TransactionView): Headline | undefined =>
  alert === null
    ? undefined
    : (alerts[alert] ??
      say("bad", "Something is wrong with this transaction", `The service says: ${alert}.`));

const statuses: Readonly<Record<TransactionView["status"], Said>> = {
  PENDING: { tone: "waiting", word: "Waiting" },
  APPROVED: { tone: "good", word: "Approved" },
  REJECTED: { tone: "over", word: "Rejected" },
  EXECUTED: { tone: "good", word: "Executed" },
  FAILED: { tone: "bad", word: "Failed" },
};

export function statusOf(transaction: TransactionView): Said {
  const { status, phase } = transaction;
  if (phase === "AWAITING") return { tone: "waiting", word: "Waits for you" };
  if (phase === "LAPSED") return { tone: "open", word: "Outcome unknown" };
  if (isForOwnersWallet(transaction)) return { tone: "waiting", word: "To be sent by you" };
  return statuses[status];
}

/** Until our intent to send is durable the owner may say no; the service has the last word on it. */
export const mayReject = ({ status, phase }: TransactionView): boolean =>
  status === "PENDING" || phase === "READY";

/** Once there is something to go by. Before a verdict a yes would move nothing. */
export const mayApprove = (transaction: TransactionView): boolean =>
  transaction.status === "PENDING" &&
  transaction.approvals.orion.length > 0 &&
  transaction.approvals.orion.every(({ decision }) => decision !== "REJECTED") &&
  ownersWord(transaction) === undefined;
