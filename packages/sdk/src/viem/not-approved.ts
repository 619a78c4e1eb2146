// The guarded wallet's no, and how to find it: viem wraps what a wallet throws in errors of its own.
import { CountersignError } from "../errors.ts";
import type { TransactionView, Verdict } from "../types.ts";

/** Nothing was sent, and nothing was signed. The message says why. */
export class NotApprovedError extends CountersignError {
  override readonly name = "NotApprovedError";
  /** What became of the proposal. Undefined if it never was one: a signature was asked for, or a deployment. */
  readonly transaction: TransactionView | undefined;
  readonly verdict: Verdict | undefined;

  constructor(message: string, transaction?: TransactionView) {
    super(message);
    this.transaction = transaction;
    this.verdict = transaction?.approvals.orion[0];
  }
}

/** Of an error that an action of a guarded wallet threw: the refusal in it, if that is what it was. */
export function findNotApproved(error: unknown): NotApprovedError | undefined {
  const seen = new Set<unknown>();
  for (let at = error; at instanceof Error && !seen.has(at); at = at.cause) {
    if (at instanceof NotApprovedError) return at;
    seen.add(at);
  }
  return undefined;
}

export const isNotApproved = (error: unknown): boolean => findNotApproved(error) !== undefined;
