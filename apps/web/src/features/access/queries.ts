// Queries for connected apps and API keys.
import type { Api, ListedApiKey } from "@countersign/sdk";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../../lib/api.ts";

export const grantsQuery = queryOptions({
  queryKey: ["access", "grants"],
  queryFn: async ({ signal }) =>
    (await api.request<Api.GetOauthGrantsResponse>("/oauth/grants", { signal })).body,
});

export const keysQuery = queryOptions({
  queryKey: ["access", "keys"],
  queryFn: ({ signal }) => api.keys.list({ signal }),
});

export const endGrant = async (id: string): Promise<void> => {
  await api.request(`/oauth/grants/${encodeURIComponent(id)}`, { method: "DELETE" });
};

/** Revokes a key permanently. */
export function useRevokeKey({ id }: ListedApiKey, onRevoked: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.keys.revoke(id),
    onSuccess: onRevoked,
    onSettled: () => client.invalidateQueries({ queryKey: keysQuery.queryKey }),
  });
}
