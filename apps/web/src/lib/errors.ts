// Error messages for users.
import {
  ApiError,
  AuthenticationError,
  ConnectionError,
  RateLimitError,
  ServiceError,
} from "@countersign/sdk";

export type Problem = {
  readonly sentence: string;
  /** The request ID, for support. */
  readonly requestId: string | undefined;
  /** No answer arrived, so the request may have been processed. */
  readonly isUnknown: boolean;
};

/** Whether the owner declined in the wallet. */
export const isDeclinedByOwner = (error: unknown): boolean =>
  typeof error === "object" &&
  error !== null &&
  (("code" in error && error.code === 4001) ||
    ("name" in error && error.name === "UserRejectedRequestError"));

function sentenceOf(error: unknown): string {
  if (isDeclinedByOwner(error)) return "You declined in your wallet. Nothing was sent.";
  if (error instanceof ConnectionError) return "The service didn’t answer. Try again.";
  if (error instanceof RateLimitError) return "Too many requests. Wait a minute, then try again.";
  if (error instanceof AuthenticationError) return "Your session has ended. Sign in again.";
  if (error instanceof ServiceError) return "The service has a problem right now. Try again in a moment.";
  if (error instanceof Error && "shortMessage" in error && typeof error.shortMessage === "string")
    return error.shortMessage;
  return error instanceof Error ? error.message : "Something went wrong.";
}

export const problemOf = (error: unknown): Problem => ({
  sentence: sentenceOf(error),
  requestId: error instanceof ApiError ? error.requestId : undefined,
  isUnknown: error instanceof ConnectionError || error instanceof ServiceError,
});
