import { InvalidRequestError, RateLimitError, ServiceError } from "@countersign/sdk";
import type { JSX } from "react";
import { Notice, ProblemNotice } from "../../components/notice.tsx";
import { Text } from "../../components/text.tsx";

/** Why there is no verdict, and what helps. */
export function TryProblem({ error }: { readonly error: unknown }): JSX.Element {
  if (error instanceof RateLimitError)
    return (
      <Notice tone="open" live="assertive" title="Too many in a short time">
        This page judges a few transactions a minute for each address. {waitOf(error.retryAfterMs)} What you
        entered is still there.
      </Notice>
    );
  if (error instanceof ServiceError)
    return (
      <Notice tone="open" live="assertive" title="The arbiter cannot be reached right now">
        Nothing is wrong with what you entered, and nothing was judged. Try again in a moment.
      </Notice>
    );
  if (error instanceof InvalidRequestError)
    return (
      <Notice tone="bad" live="assertive" title="The service did not take it">
        <Text>{error.message}</Text>
      </Notice>
    );
  return <ProblemNotice title="There is no verdict" error={error} />;
}

const waitOf = (ms: number | undefined): string =>
  ms === undefined
    ? "Wait a minute, then try again."
    : `Try again in ${Math.max(1, Math.ceil(ms / 1000))} seconds.`;
