// The guarded wallet's refusal. viem wraps errors that a wallet throws, so it has to be searched for.
import { CountersignError } from "../errors.ts";
import type { TransactionView, Verdict } from "../types.ts";

/** A guarded wallet refused: nothing was sent or signed. The message says why. */
export class NotApprovedError extends CountersignError {
  override readonly name = "NotApprovedError";
  /** The proposal. Undefined if nothing was proposed, for example for a signature or a deployment. */
  readonly transaction: TransactionView | undefined;
  readonly verdict: Verdict | undefined;

  constructor(message: string, transaction?: TransactionView) {
    super(message);
    this.transaction = transaction;
    this.verdict = transaction?.approvals.orion[0];
  }
}

/** Returns the refusal inside an error that a guarded wallet threw, or undefined. */
export function findNotApproved(error: unknown): NotApprovedError | undefined {
  const seen = new Set<unknown>();
  for (let at = error; at instanceof Error && !seen.has(at); at = at.cause) {
    if (at instanceof NotApprovedError) return at;
    seen.add(at);
  }
  return undefined;
}

/** Returns whether a guarded wallet refused. */
export const isNotApproved = (error: unknown): boolean => findNotApproved(error) !== undefined;
