// What an agent is told of a transaction, as a tool's answer and as a resource. Words of people and of the arbiter stand
// in fields of their own; the sentences that say what to do next are ours and hold nothing of theirs.
import type { Hex } from "@countersign/wire";
import { z } from "zod";
import {
  ApprovalStatus,
  approvalStatus,
  isTerminal,
  notWatchedNotice,
  statusOf,
  TransactionRecord,
  TransactionView,
  Visibility,
  visibilityOf,
  type ApprovalStatusReader,
  type ReadTransaction,
  type StatusAnswer,
  type Transaction,
} from "../transactions/index.ts";
import type { Principal } from "./principal.ts";
import { uriOf } from "./resource-uri.ts";

type Reason = NonNullable<Transaction["reason"]>;
type State = Pick<Transaction, "phase" | "orion" | "isWatched"> & { readonly reason: Reason | null };

const Verdict = z.enum(["APPROVED", "REJECTED", "UNDECIDED"]).nullable().meta({
  description:
    "APPROVED: it matches the request. REJECTED: it differs, or a safety check refused it. UNDECIDED: it could not be verified, so the owner decides. Null until it is checked.",
});

/** What every answer about a transaction ends with. */
export const Pointers = z.object({
  verdict: Verdict,
  next: z.string().meta({ description: "What to do now." }),
  resourceUri: z.string().meta({ description: "Read it or subscribe to it to learn of changes." }),
  reviewUrl: z.string().meta({ description: "Where the owner sees and decides it. Give it to them." }),
});
type Pointers = z.infer<typeof Pointers>;

export const StatusReport = z.object({
  requestHash: TransactionRecord.shape.requestHash,
  status: TransactionRecord.shape.status,
  phase: TransactionRecord.shape.phase,
  reason: TransactionView.shape.reason,
  user: ApprovalStatus.shape.user,
  orion: ApprovalStatus.shape.orion,
  ...Visibility.shape,
  final: z.boolean().meta({ description: "Nothing about it will change any more." }),
  pollAfterSeconds: z.number().nullable().meta({ description: "When to ask again. Null: no need to." }),
  ...Pointers.shape,
});
export type StatusReport = z.infer<typeof StatusReport>;

const reasons: Readonly<Record<Reason, string>> = {
  ORION: "the transaction differs from the request, or a safety check refused it",
  USER: "the owner refused it",
  ADMIN: "an administrator refused it",
  AGENT: "a key of the account refused it",
  EXPIRED: "its time ran out",
  SUPERSEDED: "another proposal replaced it",
  WITHDRAWN: "it was withdrawn",
  PREFLIGHT: "a check right before sending failed",
  REVERTED: "it reverted on the chain",
  REPLACED: "another transaction took its place on the chain",
  MISMATCH: "something else than what was approved was sent",
  CUSTODY: "whoever keeps the wallet did not send it",
  UNWATCHED: "whether it was executed could not be seen",
};

const whilePending = ({ phase, orion }: State): string => {
  if (orion === null)
    return "Not decided yet. Do not send the transaction. Ask again after pollAfterSeconds.";
  if (phase !== "AWAITING") return "The verdict counts once the proposal is registered. Ask again shortly.";
  const outcome = orion === "APPROVED" ? "It matches the request" : "It could not be verified";
  return `${outcome}; now the owner must decide, in person, at reviewUrl. Give them that link and ask again later.`;
};

const onItsWay =
  "Approved, and on its way to the chain. Do not send it, or send it again. Ask again after pollAfterSeconds.";

/** What an agent should do. */
function nextOf(state: State): string {
  const why = state.reason === null ? "" : `: ${reasons[state.reason]}`;
  switch (statusOf(state)) {
    case "PENDING":
      return whilePending(state);
    case "APPROVED":
      if (state.phase === "LAPSED")
        return "The approval has expired. Whether the transaction was executed is not known. Have the owner check the wallet before proposing again.";
      if (state.phase !== "READY") return onItsWay;
      return `Approved. Exactly this transaction may now be sent by whoever executes for the account; nothing else may.${
        state.isWatched ? "" : ` ${notWatchedNotice}`
      }`;
    case "REJECTED":
      return `Rejected${why}. Do not send it. Tell the user; propose anew only what they really asked for.`;
    case "EXECUTED":
      return "It is on the chain, and final. Nothing is left to do.";
    case "FAILED":
      return `It failed${why}. Tell the user. Nothing will be tried again by itself.`;
  }
}

export const makePointersOf =
  ({ uiUrl }: { readonly uiUrl: string }) =>
  (requestHash: Hex, state: State): Pointers => ({
    verdict: state.orion,
    next: nextOf(state),
    resourceUri: uriOf(requestHash),
    reviewUrl: `${uiUrl.replace(/\/$/, "")}/transactions/${requestHash}`,
  });

type Parts = {
  readonly status: Pick<ApprovalStatusReader, "read">;
  readonly readTransaction: ReadTransaction;
  readonly uiUrl: string;
};

/** While it may still be sent or decided otherwise, but no longer by the hour of machines. */
const slowlySeconds = 30;

export const makeReadReport = ({ status, readTransaction, uiUrl }: Parts) => {
  const pointersOf = makePointersOf({ uiUrl });
  const write = (requestHash: Hex, answer: StatusAnswer, reason: Reason | null): StatusReport => {
    const { phase, orion, approvals, userId: id, account, isWatched } = answer.state;
    const final = isTerminal({ phase });
    return {
      requestHash,
      status: statusOf({ phase }),
      phase,
      reason,
      ...approvalStatus(approvals, { id, account }),
      ...visibilityOf({ phase, isWatched }),
      final,
      pollAfterSeconds: final ? null : (answer.retryAfterSeconds ?? slowlySeconds),
      ...pointersOf(requestHash, { phase, orion, reason, isWatched }),
    };
  };
  return async function readReport(requestHash: Hex, { caller }: Principal): Promise<StatusReport> {
    const answer = await status.read({
      ...{ requestHash, caller },
      view: "records",
      knows: undefined,
      waitSeconds: 0,
    });
    // Polls are answered from memory. Only what has ended has a reason, and that is not asked for often.
    const reason = isTerminal(answer.state)
      ? (await readTransaction(requestHash, caller)).transaction.reason
      : null;
    return write(requestHash, answer, reason);
  };
};

export type ReadReport = ReturnType<typeof makeReadReport>;
