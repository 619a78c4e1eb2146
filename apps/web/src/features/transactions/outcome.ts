// The outcome of a decision, as far as the page knows.
import { ApiError, AuthenticationError, type Approval } from "@countersign/sdk";
import { problemOf } from "../../lib/errors.ts";

export type Progress =
  | { readonly kind: "asked" | "checking" | "signing" | "sending" }
  /** The service's record. */
  | { readonly kind: "recorded"; readonly approval: Approval }
  /** Sent without an answer. */
  | { readonly kind: "unknown"; readonly since: Date }
  /** The service or the owner refused. */
  | { readonly kind: "refused"; readonly sentence: string; readonly requestId: string | undefined };

/** Whether the outcome is still open or unknown. */
export const isOpen = ({ kind }: Progress): boolean =>
  kind === "signing" || kind === "sending" || kind === "unknown";

/** Maps an error to an outcome. A request that was never sent cannot have arrived. */
export function outcomeOf(error: unknown, wasSent: boolean, at: Date): Progress {
  const { sentence, requestId, isUnknown } = problemOf(error);
  if (wasSent && isUnknown) return { kind: "unknown", since: at };
  if (error instanceof AuthenticationError)
    return {
      kind: "refused",
      sentence: "Your signature wasn’t accepted. It may have expired: try again.",
      requestId,
    };
  return { kind: "refused", sentence: error instanceof ApiError ? error.message : sentence, requestId };
}
