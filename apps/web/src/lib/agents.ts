// The owner's agents: their names, figures and mandates.
import type { AgentRef, Api } from "@countersign/sdk";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { api } from "./api.ts";

export const grantsQuery = queryOptions({
  queryKey: ["access", "grants"],
  queryFn: async ({ signal }) =>
    (await api.request<Api.GetOauthGrantsResponse>("/oauth/grants", { signal })).body,
});

export const keysQuery = queryOptions({
  queryKey: ["access", "keys"],
  queryFn: ({ signal }) => api.keys.list({ signal }),
});

/** Figures of all agents in the last 30 days. */
export const agentsQuery = queryOptions({
  queryKey: ["agents", "list"],
  queryFn: ({ signal }) => api.agents.list({ signal }),
});

/** One agent with its spending. */
export const agentQuery = ({ kind, id }: AgentRef, days: number) =>
  queryOptions({
    queryKey: ["agents", "one", kind, id, days],
    queryFn: ({ signal }) => api.agents.get({ kind, id }, { days, signal }),
    // A period stays in view until the next one is there.
    placeholderData: keepPreviousData,
  });

export const mandatesQuery = queryOptions({
  queryKey: ["agents", "mandates"],
  queryFn: ({ signal }) => api.mandates.list({ signal }),
});

/** Mandates that agents ask for. */
export const mandateRequestsQuery = queryOptions({
  queryKey: ["agents", "mandate-requests"],
  queryFn: ({ signal }) => api.mandates.requests({ signal }),
});

/** Ends an agent's credential permanently. */
export async function removeAgent({ kind, id }: AgentRef): Promise<void> {
  if (kind === "key") await api.keys.revoke(id);
  else await api.request(`/oauth/grants/${encodeURIComponent(id)}`, { method: "DELETE" });
}

/** Names change rarely, and the access pages refresh them. */
const namesMs = 60_000;

type Named = readonly { readonly id: string; readonly name: string }[] | undefined;

/** `removed` once the list is known and lacks the credential, which then was revoked. */
function nameIn(list: Named, id: string, removed: string, unknown: string): string {
  if (list === undefined) return unknown;
  return list.find((one) => one.id === id)?.name ?? removed;
}

/** Returns a function that names an agent. Names are given by the owner (keys) or by the app itself (OAuth). */
export function useAgentNames(): (agent: string) => string {
  const keys = useQuery({ ...keysQuery, staleTime: namesMs }).data;
  const grants = useQuery({ ...grantsQuery, staleTime: namesMs }).data;
  return useCallback(
    (agent: string) => {
      const [kind = "", id = ""] = agent.split(":");
      if (kind === "key") return nameIn(keys, id, "A removed key", "An agent");
      const apps = grants?.map((grant) => ({ id: grant.id, name: grant.clientName }));
      return kind === "oauth" ? nameIn(apps, id, "A removed app", "An app") : "You";
    },
    [keys, grants],
  );
}
