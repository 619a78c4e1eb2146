import { ApiError, type Api } from "@countersign/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import type { JSX } from "react";
import { Loading } from "../../components/loading.tsx";
import { Notice, ProblemNotice } from "../../components/notice.tsx";
import { Page } from "../../components/page.tsx";
import { api } from "../../lib/api.ts";
import { ConsentRequest, type Answer } from "./consent-request.tsx";
import { onwardAddress } from "./onward.ts";

const startAgain = "Start again in the app.";

/** Explains why there is no pending request. */
function NoRequest({ error }: { readonly error: unknown }): JSX.Element {
  // A malformed session ID gets 400, and is as unknown as one that gets 404.
  if (error instanceof ApiError && (error.status === 404 || error.status === 400))
    return (
      <Notice tone="bad" live="assertive" title="Request not found">
        The link may be incomplete, or for another service. {startAgain}
      </Notice>
    );
  if (error instanceof ApiError && error.status === 410)
    return (
      <Notice tone="over" live="assertive" title="Request expired">
        It was already answered, or it expired. {startAgain}
      </Notice>
    );
  return <ProblemNotice title="Couldn’t look up the request" error={error} />;
}

/** Whether the service says that the request no longer exists. Other errors may be temporary. */
const isOver = (error: unknown): boolean =>
  error instanceof ApiError && [400, 404, 410].includes(error.status);

type Onward = { readonly answer: Answer; readonly to: string | undefined };

/** Sends the answer, then redirects only to the address that the app registered. */
function useAnswer(sessionId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ answer, announced }: { answer: Answer; announced: string }): Promise<Onward> => {
      const { body } = await api.request<Api.PostOauthApproveResponse>(
        answer === "allow" ? "/oauth/approve" : "/oauth/deny",
        { method: "POST", body: { sessionId } },
      );
      return { answer, to: onwardAddress(body.redirectUrl, announced) };
    },
    onSuccess: ({ to }) => {
      if (to !== undefined) location.assign(to);
    },
    // Reloads the state: it may have been answered elsewhere or expired.
    onError: () => client.invalidateQueries({ queryKey: ["consent", sessionId] }),
  });
}

function Answered({ answer, to }: Onward): JSX.Element {
  if (to === undefined)
    return (
      <Notice tone="bad" live="assertive" title="We didn’t send you back">
        The return address isn’t the one the app registered, so we stopped.
        {answer === "allow" ? " You allowed access. If in doubt, remove it under Agents." : ""}
      </Notice>
    );
  return (
    <Notice
      tone={answer === "allow" ? "good" : "over"}
      live="assertive"
      title={answer === "allow" ? "Allowed" : "Denied"}
    >
      Returning you to the app. If nothing happens, you can close this page.
    </Notice>
  );
}

function Asked({ session }: { readonly session: string }): JSX.Element {
  const answer = useAnswer(session);
  const { data, error, isPending } = useQuery({
    queryKey: ["consent", session],
    queryFn: async ({ signal }) =>
      (await api.request<Api.ConsentRequest>("/oauth/session-info", { query: { session }, signal })).body,
    enabled: !answer.isSuccess,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data !== undefined && !isOver(state.error) ? 10_000 : false),
  });
  if (answer.isSuccess) return <Answered {...answer.data} />;
  if (isPending) return <Loading what="the request" lines={5} />;
  if (data === undefined || isOver(error)) return <NoRequest error={error} />;
  return (
    <div className="space-y-4">
      {error === null ? null : (
        <ProblemNotice title="We can’t confirm that the request is still valid" error={error} />
      )}
      <ConsentRequest
        request={data}
        underWay={answer.isPending ? answer.variables.answer : undefined}
        problem={answer.error}
        onAnswer={(chosen) => {
          answer.mutate({ answer: chosen, announced: data.redirectUri });
        }}
      />
    </div>
  );
}

/** Asks the owner whether to connect an app (OAuth consent). */
export function ConsentPage(): JSX.Element {
  const { session } = useSearch({ from: "/oauth/consent" });
  return (
    <Page title="An app asks for access" lead="You decide whether to connect it.">
      <div className="max-w-2xl">
        {session === "" ? (
          <Notice tone="open" title="The link has no request">
            Open the full link from the app. {startAgain}
          </Notice>
        ) : (
          <Asked session={session} />
        )}
      </div>
    </Page>
  );
}
