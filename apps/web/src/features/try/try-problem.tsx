import { InvalidRequestError, RateLimitError, ServiceError } from "@countersign/sdk";
import type { JSX } from "react";
import { Notice, ProblemNotice } from "../../components/notice.tsx";
import { Text } from "../../components/text.tsx";

/** Explains why there is no result, and what to do. */
export function TryProblem({ error }: { readonly error: unknown }): JSX.Element {
  if (error instanceof RateLimitError)
    return (
      <Notice tone="open" live="assertive" title="Too many checks">
        This page allows a few checks a minute. {waitOf(error.retryAfterMs)} Your input is still there.
      </Notice>
    );
  if (error instanceof ServiceError)
    return (
      <Notice tone="open" live="assertive" title="The verification service isn’t reachable">
        Your input is fine. Try again in a moment.
      </Notice>
    );
  if (error instanceof InvalidRequestError)
    return (
      <Notice tone="bad" live="assertive" title="The input wasn’t accepted">
        <Text>{error.message}</Text>
      </Notice>
    );
  return <ProblemNotice title="No result" error={error} />;
}

const waitOf = (ms: number | undefined): string =>
  ms === undefined
    ? "Wait a minute, then try again."
    : `Try again in ${Math.max(1, Math.ceil(ms / 1000))} seconds.`;
