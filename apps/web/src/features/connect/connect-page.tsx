import { ApiError, type ConnectionRequest } from "@countersign/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { useState, type JSX } from "react";
import { buttonClass } from "../../components/button.tsx";
import { Loading } from "../../components/loading.tsx";
import { Notice, ProblemNotice } from "../../components/notice.tsx";
import { Page } from "../../components/page.tsx";
import { api } from "../../lib/api.ts";
import { ConnectRequest } from "./connect-request.tsx";

const startAgain = "Start again in the agent to get a new link.";

/** Explains why there is no pending request. */
function NoRequest({ error }: { readonly error: unknown }): JSX.Element {
  if (error instanceof ApiError && error.status === 404)
    return (
      <Notice tone="bad" live="assertive" title="Code not found">
        The link may be incomplete, or for another service. {startAgain}
      </Notice>
    );
  if (error instanceof ApiError && error.status === 410)
    return (
      <Notice tone="over" live="assertive" title="Code expired">
        It expired, or the agent already used it. {startAgain}
      </Notice>
    );
  return <ProblemNotice title="Couldn’t look up the code" error={error} />;
}

/** Whether the service says that the request no longer exists. Other errors may be temporary. */
const isOver = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 410);

const ToAgents = (): JSX.Element => (
  <Link to="/access" className={buttonClass("plain")}>
    Go to agents
  </Link>
);

/** `isHere`: this page approved it, not another one. */
function Approved({ isHere }: { readonly isHere: boolean }): JSX.Element {
  return (
    <div className="space-y-4">
      {isHere ? (
        <Notice tone="good" live="assertive" title="Connected">
          The agent can now get its key. You can remove it under Agents at any time.
        </Notice>
      ) : (
        <Notice tone="open" live="assertive" title="This code was already approved">
          If that wasn’t you, go to Agents and revoke the key you don’t recognize.
        </Notice>
      )}
      <ToAgents />
    </div>
  );
}

function useRequest(code: string, isWanted: boolean) {
  return useQuery({
    queryKey: ["connect", code],
    queryFn: ({ signal }): Promise<ConnectionRequest> => api.connections.info(code, { signal }),
    enabled: isWanted,
    staleTime: 0,
    // The code may expire or be approved elsewhere in the meantime.
    refetchInterval: ({ state }) =>
      state.data?.status === "pending" && state.error === null ? 10_000 : false,
  });
}

function Asked({ code, onLeave }: { readonly code: string; readonly onLeave: () => void }): JSX.Element {
  const client = useQueryClient();
  const approve = useMutation({
    mutationFn: () => api.connections.approve(code),
    // Reloads the state after an error: the request may have arrived.
    onError: () => client.invalidateQueries({ queryKey: ["connect", code] }),
  });
  const { data, error, isPending } = useRequest(code, !approve.isSuccess);
  if (approve.isSuccess) return <Approved isHere />;
  if (isPending) return <Loading what="the request" lines={5} />;
  if (data === undefined || isOver(error)) return <NoRequest error={error} />;
  if (data.status === "ready") return <Approved isHere={false} />;
  return (
    <div className="space-y-4">
      {error === null ? null : (
        <ProblemNotice title="We can’t confirm that the code is still valid" error={error} />
      )}
      <ConnectRequest request={data} approve={approve} onLeave={onLeave} />
    </div>
  );
}

/** Connects an agent that showed the owner a code. Nothing is sent until the owner confirms. */
export function ConnectPage(): JSX.Element {
  const { code } = useSearch({ from: "/connect" });
  const [isLeft, setLeft] = useState(false);
  return (
    <Page title="Connect an agent" lead="An agent wants to propose transactions for your account.">
      <div className="max-w-2xl">
        {code === "" ? (
          <Notice tone="open" title="The link has no code">
            Open the full link that the agent shows. {startAgain}
          </Notice>
        ) : isLeft ? (
          <Notice tone="over" live="polite" title="Not connected">
            The code expires on its own. No key was created.
          </Notice>
        ) : (
          <Asked
            code={code}
            onLeave={() => {
              setLeft(true);
            }}
          />
        )}
      </div>
    </Page>
  );
}
