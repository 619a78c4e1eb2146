// The status of a transaction for an agent, as a tool's answer and as a resource. Texts of users and of the verifier
// are in separate fields; the sentences about what to do next are ours and contain none of them.
import type { Hex, Shape } from "@countersign/wire";
import { z } from "zod";
import {
  ApprovalStatus,
  approvalStatus,
  isTerminal,
  NeedsOwner,
  notWatchedNotice,
  PolicyDecision,
  reviewUrlOf,
  statusOf,
  TransactionRecord,
  TransactionView,
  useView,
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
type State = Pick<Transaction, "phase" | "orion" | "isWatched" | "needsOwner" | "shape"> & {
  readonly reason: Reason | null;
};

const Verdict = z.enum(["APPROVED", "REJECTED", "UNDECIDED"]).nullable().meta({
  description:
    "APPROVED: it matches the request. REJECTED: it differs, or a safety check failed. UNDECIDED: it could not be verified, so the owner decides. Null until it is checked.",
});

/** The last members of every answer about a transaction. */
export const Pointers = z.object({
  verdict: Verdict,
  next: z.string().meta({ description: "What to do now." }),
  resourceUri: z.string().meta({ description: "Read it or subscribe to it to follow changes." }),
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
  needsOwner: NeedsOwner.nullable(),
  mandateId: TransactionView.shape.mandateId,
  policyDecision: PolicyDecision.nullable(),
  ...Visibility.shape,
  use: TransactionView.shape.use,
  final: z.boolean().meta({ description: "True if nothing about it will change any more." }),
  pollAfterSeconds: z
    .number()
    .nullable()
    .meta({ description: "When to ask again. Null if there is no need to." }),
  ...Pointers.shape,
});
export type StatusReport = z.infer<typeof StatusReport>;

const reasons: Readonly<Record<Reason, string>> = {
  ORION: "the transaction differs from the request, or a safety check failed",
  USER: "the owner rejected it",
  ADMIN: "an administrator rejected it",
  AGENT: "an API key of the account rejected it",
  POLICY: "the owner's policy denies it",
  EXPIRED: "it expired",
  SUPERSEDED: "another proposal replaced it",
  WITHDRAWN: "it was withdrawn",
  PREFLIGHT: "a check right before sending failed",
  REVERTED: "it reverted on the chain",
  REPLACED: "another transaction replaced it on the chain",
  MISMATCH: "the transaction that was sent differs from the approved one",
  CUSTODY: "the wallet's custodian or provider did not send it",
  UNWATCHED: "it is unknown whether it was executed",
};

const whilePending = ({ phase, orion, needsOwner }: State): string => {
  if (orion === null)
    return "Not decided yet. Do not send the transaction. Ask again after pollAfterSeconds.";
  if (phase !== "AWAITING") return "The verdict counts once the proposal is registered. Ask again shortly.";
  const outcome = orion === "APPROVED" ? "It matches the request" : "It could not be verified";
  const why = needsOwner === null ? "" : ` ${needsOwner.message}.`;
  return `${outcome}.${why} Now the owner must decide, in person, at reviewUrl. Give them that link and ask again later.`;
};

const onItsWay =
  "Approved, and already being sent. Do not send it yourself. Ask again after pollAfterSeconds.";

const signature = {
  approved:
    "Approved. The wallet may now sign exactly this data and release the signature once. Use the guarded wallet, which does both.",
  executed: "The signature was released. There is nothing left to do.",
};
/** The advice about proposals that are released, by their shape. */
const releasing: Readonly<Record<Shape, typeof signature>> = {
  typedData: signature,
  calls: {
    approved:
      "Approved. The wallet may now send exactly these calls, once. Use the guarded wallet, which releases and sends them.",
    executed: "The batch was released to the wallet. Ask the wallet for its status. Do not send it again.",
  },
  message: {
    approved:
      "Approved. The wallet may now sign exactly this text and release the signature once. Use the guarded wallet, which does both.",
    executed: "The signature was released. There is nothing left to do.",
  },
  authorizationList: {
    approved:
      "Approved. The wallet may now sign exactly this authorization and release the signature once. Use the guarded wallet, which does both.",
    executed:
      "The authorization was released. It is in force once a transaction includes it. Do not propose it again.",
  },
  userOperation: {
    approved:
      "Approved. The account may now sign exactly this user operation and release the signature once. Use the guarded account, which does both.",
    executed:
      "The signature was released, so the user operation can be executed. Check the account before proposing it again.",
  },
  safeTransaction: {
    approved:
      "Approved. The owner's wallet may now confirm exactly this transaction of the Safe and release the confirmation once. Use the guarded Safe, which does both.",
    executed:
      "The confirmation was released. The Safe executes the transaction once enough owners have confirmed it. Do not propose it again.",
  },
};

/** Returns what the agent should do. */
function nextOf(state: State): string {
  const why = state.reason === null ? "" : `: ${reasons[state.reason]}`;
  switch (statusOf(state)) {
    case "PENDING":
      return whilePending(state);
    case "APPROVED":
      if (state.phase === "LAPSED")
        return "The approval has expired, and it is unknown whether the transaction was executed. Have the owner check the wallet before proposing again.";
      if (state.phase !== "READY") return onItsWay;
      if (state.shape !== null) return releasing[state.shape].approved;
      return `Approved. The account's executor may now send exactly this transaction and no other.${
        state.isWatched ? "" : ` ${notWatchedNotice}`
      }`;
    case "REJECTED":
      return `Rejected${why}. Do not send it. Tell the user, and propose again only what they asked for.`;
    case "EXECUTED":
      if (state.shape !== null) return releasing[state.shape].executed;
      return "It is on the chain, and final. There is nothing left to do.";
    case "FAILED":
      return `It failed${why}. Tell the user. It will not be retried automatically.`;
  }
}

export const makePointersOf =
  ({ uiUrl }: { readonly uiUrl: string }) =>
  (requestHash: Hex, state: State): Pointers => ({
    verdict: state.orion,
    next: nextOf(state),
    resourceUri: uriOf(requestHash),
    reviewUrl: reviewUrlOf(uiUrl, requestHash),
  });

type Parts = {
  readonly status: Pick<ApprovalStatusReader, "read">;
  readonly readTransaction: ReadTransaction;
  readonly uiUrl: string;
};

/** While it may still be sent or decided, but no automatic step is expected soon. */
const slowlySeconds = 30;

export const makeReadReport = ({ status, readTransaction, uiUrl }: Parts) => {
  const pointersOf = makePointersOf({ uiUrl });
  const write = (requestHash: Hex, answer: StatusAnswer, ended: Transaction | undefined): StatusReport => {
    const { phase, orion, approvals, userId: id, account, isWatched, needsOwner, shape } = answer.state;
    const reason = ended?.reason ?? null;
    const { mandateId, policyDecision } = answer.state;
    const final = isTerminal({ phase });
    return {
      requestHash,
      status: statusOf({ phase }),
      phase,
      reason,
      ...approvalStatus(approvals, { id, account }),
      needsOwner,
      mandateId,
      policyDecision,
      ...visibilityOf(answer.state),
      use: ended === undefined ? null : useView(ended),
      final,
      pollAfterSeconds: final ? null : (answer.retryAfterSeconds ?? slowlySeconds),
      ...pointersOf(requestHash, { phase, orion, reason, isWatched, needsOwner, shape }),
    };
  };
  return async function readReport(requestHash: Hex, { caller }: Principal): Promise<StatusReport> {
    const answer = await status.read({
      ...{ requestHash, caller },
      view: "records",
      knows: undefined,
      waitSeconds: 0,
    });
    // Polls are answered from memory. Only a finished transaction has a reason or a use, which are rarely asked for.
    const ended = isTerminal(answer.state)
      ? (await readTransaction(requestHash, caller)).transaction
      : undefined;
    return write(requestHash, answer, ended);
  };
};

export type ReadReport = ReturnType<typeof makeReadReport>;
