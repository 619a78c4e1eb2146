import type { Countersign } from "../client.ts";
import type { Trust } from "../receipt/verify-receipt.ts";
import type { TransactionView } from "../types.ts";

/** Options that every guard has. */
export type ApprovalOptions = {
  readonly countersign: Countersign;
  /**
   * Trusted facts about the installation (see `fetchTrust`). If set, the guard verifies the verdict's signature before it
   * sends or signs. Otherwise it trusts the service.
   */
  readonly trust?: Trust;
  /**
   * Milliseconds to wait for the verdict and the owner. Default: 3,600,000 if the owner approves every transaction,
   * otherwise 600,000.
   */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Called with every change of the proposal until it is decided. */
  readonly onProgress?: (transaction: TransactionView) => void;
  /** Called once with the page where the owner decides. Default: prints one line to stderr. */
  readonly onReview?: (reviewUrl: string) => void;
};
