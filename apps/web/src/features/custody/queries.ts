// Queries for the custody integration. No response contains a secret.
import type { Api } from "@countersign/sdk";
import {
  queryOptions,
  useMutation,
  useQueryClient,
  type UseMutationResult,
  type UseQueryOptions,
} from "@tanstack/react-query";
import { api } from "../../lib/api.ts";

export type Integration = Api.CustodyIntegration;
export type IntegrationType = Integration["type"];

const keyOf = (type: IntegrationType) => ["custody", type] as const;

export const integrationQuery = (
  type: IntegrationType,
): UseQueryOptions<Integration, Error, Integration, ReturnType<typeof keyOf>> =>
  queryOptions({
    queryKey: keyOf(type),
    queryFn: async ({ signal }) =>
      (await api.request<Integration>(`/custody/integration/${type}`, { signal })).body,
  });

/** Changes the integration and shows the state that the service returns. */
export function useChange<Wish>(
  type: IntegrationType,
  change: (wish: Wish) => Promise<Integration>,
): UseMutationResult<Integration, Error, Wish> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (confirmed) => {
      client.setQueryData(keyOf(type), confirmed);
    },
    // The request may have arrived despite the error.
    onError: () => client.invalidateQueries({ queryKey: keyOf(type) }),
  });
}

/** Tests the connection through the service, which also looks up a missing wallet. */
export function useValidate(
  type: IntegrationType,
): UseMutationResult<Api.PostCustodyValidateByTypeResponse, Error, void> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () =>
      (
        await api.request<Api.PostCustodyValidateByTypeResponse>(`/custody/validate/${type}`, {
          method: "POST",
          timeoutMs: 60_000,
        })
      ).body,
    onSettled: () => client.invalidateQueries({ queryKey: keyOf(type) }),
  });
}
