// The core of every guard: proposes, tells the owner where to decide, waits, and returns only what was approved exactly.
import { WaitTimeoutError } from "../errors.ts";
import type { Proposal, Transaction, TransactionView } from "../types.ts";
import type { WaitOptions } from "../wait.ts";
import type { ApprovalOptions } from "./approval-options.ts";
import { checkReceipt, checkRecord, refusalOf, type Asked } from "./check-approval.ts";

export type Approved = {
  readonly decided: TransactionView;
  /** The page where the owner decides. Services before version 2 return none. */
  readonly reviewUrl: string | undefined;
  /** For further waits about the same proposal. */
  readonly wait: WaitOptions;
};

/** Returns the approved proposal. Throws a NotApprovedError if it is not approved, or differs from what was asked. */
export async function getApproved(
  asked: Asked,
  proposal: Proposal,
  options: ApprovalOptions,
): Promise<Approved> {
  const { countersign, signal } = options;
  const proposed = await countersign.propose(proposal, signal === undefined ? {} : { signal });
  const { requestHash } = proposed;
  showReview(proposed, options);
  const wait = waitOf(proposed, options);
  const decided = await countersign
    .waitForStatus(requestHash, ["APPROVED"], wait)
    .catch((error: unknown): never => {
      throw explainTimeout(error, proposed, asked);
    });
  checkRecord(decided, requestHash, asked);
  const { reviewUrl } = proposed as Partial<Transaction>;
  return { decided, wait, reviewUrl };
}

/** Verifies the signed verdict, if there is a trusted signer, and that the caller still wants it. */
export async function checkTrust(
  { decided }: Approved,
  asked: Asked,
  { countersign, trust, signal }: ApprovalOptions,
): Promise<void> {
  if (trust !== undefined) await checkReceipt({ countersign, trust }, decided, asked);
  signal?.throwIfAborted();
}

/** Services before version 2 return no link. */
function showReview({ reviewUrl }: Partial<Transaction>, { onReview = printReview }: ApprovalOptions): void {
  if (reviewUrl !== undefined) onReview(reviewUrl);
}

/** To stderr: agents that speak a protocol on stdout stay readable. */
const printReview = (reviewUrl: string): void => {
  // eslint-disable-next-line no-console -- A guard must not wait in silence; onReview replaces it.
  console.warn(`Countersign: waiting for approval. Review it at ${reviewUrl}`);
};

/** Instead of the ten minutes of every other wait. */
const anHourMs = 3_600_000;

const waitOf = (
  { execution }: Partial<Transaction>,
  { timeoutMs, signal, onProgress }: ApprovalOptions,
): WaitOptions => ({
  // Execution type 1: the owner decides about each transaction, in person.
  ...(timeoutMs === undefined ? (execution === 1 ? { timeoutMs: anHourMs } : {}) : { timeoutMs }),
  ...(signal === undefined ? {} : { signal }),
  ...(onProgress === undefined ? {} : { onProgress }),
});

/** Says what to do. The proposal stays open, but a later approval has no effect here. */
function explainTimeout(error: unknown, { reviewUrl }: Partial<Transaction>, asked: Asked): unknown {
  if (!(error instanceof WaitTimeoutError)) return error;
  const where = reviewUrl === undefined ? "" : ` at ${reviewUrl}`;
  return new WaitTimeoutError(
    `${refusalOf(asked)}: ${error.message}. It stays open${where}, but approving it now has no effect. Try again with a longer timeoutMs, and ask the owner to decide while it waits`,
    error.transaction,
  );
}
