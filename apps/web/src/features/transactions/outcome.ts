// What a decision has come to, as far as anybody here knows.
import { ApiError, AuthenticationError, type Approval } from "@countersign/sdk";
import { problemOf } from "../../lib/errors.ts";

export type Progress =
  | { readonly kind: "asked" | "signing" | "sending" }
  /** The service's own record of it. */
  | { readonly kind: "recorded"; readonly approval: Approval }
  /** It was sent, and no answer came. */
  | { readonly kind: "unknown"; readonly since: Date }
  /** The service or the person said no. */
  | { readonly kind: "refused"; readonly sentence: string; readonly requestId: string | undefined };

/** It may still become something, or have become it without our knowing. */
export const isOpen = ({ kind }: Progress): boolean =>
  kind === "signing" || kind === "sending" || kind === "unknown";

/** What it came to when it did not come to a record. Before it was sent, nothing can have arrived. */
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
