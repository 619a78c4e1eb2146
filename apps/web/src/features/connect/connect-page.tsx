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

const startAnew = "Start again in the agent: it will give you a new address to open.";

/** Why there is nothing to decide, where the service says so. */
function NoRequest({ error }: { readonly error: unknown }): JSX.Element {
  if (error instanceof ApiError && error.status === 404)
    return (
      <Notice tone="bad" live="assertive" title="This code is not known">
        The address may be incomplete, or from another service. {startAnew}
      </Notice>
    );
  if (error instanceof ApiError && error.status === 410)
    return (
      <Notice tone="over" live="assertive" title="This code is over">
        It has expired, or the agent has already fetched its key with it. {startAnew}
      </Notice>
    );
  return <ProblemNotice title="The code could not be looked up" error={error} />;
}

/** The service has said that there is nothing to decide. Anything else may pass. */
const isOver = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 410);

const ToAgents = (): JSX.Element => (
  <Link to="/access" className={buttonClass("plain")}>
    To agents and keys
  </Link>
);

/** Somebody has said yes; whether that was this page is for this page to know. */
function Approved({ isHere }: { readonly isHere: boolean }): JSX.Element {
  return (
    <div className="space-y-4">
      {isHere ? (
        <Notice tone="good" live="assertive" title="Connected">
          The agent fetches its key by itself; you find it under Agents, where you can take it back at any
          time.
        </Notice>
      ) : (
        <Notice tone="open" live="assertive" title="This code was already approved">
          If that was not you, look under Agents for a key that you do not know, and revoke it.
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
    // It may expire, or be approved elsewhere, while somebody looks.
    refetchInterval: ({ state }) =>
      state.data?.status === "pending" && state.error === null ? 10_000 : false,
  });
}

function Asked({ code, onLeave }: { readonly code: string; readonly onLeave: () => void }): JSX.Element {
  const client = useQueryClient();
  const approve = useMutation({
    mutationFn: () => api.connections.approve(code),
    // Whatever was answered, or nothing: what became of the code is what the service says now.
    onError: () => client.invalidateQueries({ queryKey: ["connect", code] }),
  });
  const { data, error, isPending } = useRequest(code, !approve.isSuccess);
  if (approve.isSuccess) return <Approved isHere />;
  if (isPending) return <Loading what="who asks" lines={5} />;
  if (data === undefined || isOver(error)) return <NoRequest error={error} />;
  if (data.status === "ready") return <Approved isHere={false} />;
  return (
    <div className="space-y-4">
      {error === null ? null : (
        <ProblemNotice title="Whether the code is still good is not known" error={error} />
      )}
      <ConnectRequest request={data} approve={approve} onLeave={onLeave} />
    </div>
  );
}

/** Where an owner lets an agent in that showed them a code. Nothing is sent until they press the button. */
export function ConnectPage(): JSX.Element {
  const { code } = useSearch({ from: "/connect" });
  const [isLeft, setLeft] = useState(false);
  return (
    <Page title="Connect an agent" lead="An agent asks to propose transactions for your account.">
      <div className="max-w-2xl">
        {code === "" ? (
          <Notice tone="open" title="There is no code in the address">
            Open the whole address that the agent shows you. {startAnew}
          </Notice>
        ) : isLeft ? (
          <Notice tone="over" live="polite" title="Left as it is">
            Nothing was sent. The code expires by itself, and nobody gets a key with it.
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
