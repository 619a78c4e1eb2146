import { NotApprovedError } from "../guard/not-approved.ts";
import type { TransactionView } from "../types.ts";

/**
 * A guarded wallet refused: since the approval the state of the chain has changed so that the transaction would do something else. Nothing was sent. Propose it
 * again, so that the owner sees the new effects.
 */
export class StateChangedError extends NotApprovedError {
  /** The changes outside the approved bounds, each a sentence. */
  readonly changes: readonly string[];
  /** The page of the proposal. Undefined for services before version 2. */
  readonly reviewUrl: string | undefined;

  constructor(changes: readonly string[], transaction: TransactionView, reviewUrl?: string) {
    const where = reviewUrl === undefined ? "" : ` Review it at ${reviewUrl}`;
    super(`Not sent: the chain has changed since the approval: ${changes.join("; ")}.${where}`, transaction);
    this.changes = changes;
    this.reviewUrl = reviewUrl;
  }
}
