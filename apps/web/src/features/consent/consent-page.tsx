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

const startAnew = "Start again in the program.";

/** Why there is nothing to answer, where the service says so. */
function NoRequest({ error }: { readonly error: unknown }): JSX.Element {
  // Whatever is no session at all is refused as malformed, and is no more known than another.
  if (error instanceof ApiError && (error.status === 404 || error.status === 400))
    return (
      <Notice tone="bad" live="assertive" title="This request is not known">
        The address may be incomplete, or from another service. {startAnew}
      </Notice>
    );
  if (error instanceof ApiError && error.status === 410)
    return (
      <Notice tone="over" live="assertive" title="This request is over">
        It was answered already, or it has expired. {startAnew}
      </Notice>
    );
  return <ProblemNotice title="The request could not be looked up" error={error} />;
}

/** The service has said that there is nothing to answer. Anything else may pass. */
const isOver = (error: unknown): boolean =>
  error instanceof ApiError && [400, 404, 410].includes(error.status);

type Onward = { readonly answer: Answer; readonly to: string | undefined };

/** Sends the answer, and then the browser: to where the program said it is, and nowhere else. */
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
    // Answered elsewhere, or over by now: that is the service's to say.
    onError: () => client.invalidateQueries({ queryKey: ["consent", sessionId] }),
  });
}

function Answered({ answer, to }: Onward): JSX.Element {
  if (to === undefined)
    return (
      <Notice tone="bad" live="assertive" title="You were not sent back">
        The service named another address than the program had announced, so this page did not go there.
        {answer === "allow" ? " You allowed the access: take it back under Agents if you doubt it." : ""}
      </Notice>
    );
  return (
    <Notice
      tone={answer === "allow" ? "good" : "over"}
      live="assertive"
      title={answer === "allow" ? "Allowed" : "Denied"}
    >
      You are sent back to the program. If nothing happens, go back to it yourself; this page can be closed.
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
  if (isPending) return <Loading what="who asks" lines={5} />;
  if (data === undefined || isOver(error)) return <NoRequest error={error} />;
  return (
    <div className="space-y-4">
      {error === null ? null : (
        <ProblemNotice title="Whether the request still stands is not known" error={error} />
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

/** Where an owner lets a program in that asks for it through the browser, or does not. */
export function ConsentPage(): JSX.Element {
  const { session } = useSearch({ from: "/oauth/consent" });
  return (
    <Page
      title="A program asks for access"
      lead="It was started outside of these pages. You decide whether it gets in."
    >
      <div className="max-w-2xl">
        {session === "" ? (
          <Notice tone="open" title="There is no request in the address">
            Open the whole address that the program leads you to. {startAnew}
          </Notice>
        ) : (
          <Asked session={session} />
        )}
      </div>
    </Page>
  );
}
