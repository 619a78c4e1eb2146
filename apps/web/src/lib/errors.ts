// What went wrong, as a person is told.
import {
  ApiError,
  AuthenticationError,
  ConnectionError,
  RateLimitError,
  ServiceError,
} from "@countersign/sdk";

export type Problem = {
  readonly sentence: string;
  /** What the service knows it by, for whoever asks about it. */
  readonly requestId: string | undefined;
  /** No answer came: whatever was sent may have arrived. */
  readonly isUnknown: boolean;
};

/** The person pressed no in their wallet. */
export const isRefusedByPerson = (error: unknown): boolean =>
  typeof error === "object" &&
  error !== null &&
  (("code" in error && error.code === 4001) ||
    ("name" in error && error.name === "UserRejectedRequestError"));

function sentenceOf(error: unknown): string {
  if (isRefusedByPerson(error)) return "You refused in your wallet. Nothing was sent.";
  if (error instanceof ConnectionError) return "The service did not answer.";
  if (error instanceof RateLimitError) return "Too many requests from here. Wait a minute and try again.";
  if (error instanceof AuthenticationError) return "You are not signed in any more.";
  if (error instanceof ServiceError) return "The service is in trouble right now.";
  if (error instanceof Error && "shortMessage" in error && typeof error.shortMessage === "string")
    return error.shortMessage;
  return error instanceof Error ? error.message : "Something went wrong.";
}

export const problemOf = (error: unknown): Problem => ({
  sentence: sentenceOf(error),
  requestId: error instanceof ApiError ? error.requestId : undefined,
  isUnknown: error instanceof ConnectionError || error instanceof ServiceError,
});
