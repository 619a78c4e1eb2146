// Queries for API keys.
import type { ListedApiKey } from "@countersign/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { keysQuery, removeAgent } from "../../lib/agents.ts";

/** Revokes a key permanently. */
export function useRevokeKey({ id }: ListedApiKey, onRevoked: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => removeAgent({ kind: "key", id }),
    onSuccess: onRevoked,
    onSettled: () => client.invalidateQueries({ queryKey: keysQuery.queryKey }),
  });
}
