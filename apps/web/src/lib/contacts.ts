// The owner's address book, and the recipients of a transaction with the owner's names for them.
import type { TransactionView } from "@countersign/sdk";
import { queryOptions, useMutation, useQueryClient, type UseMutationResult } from "@tanstack/react-query";
import { api } from "./api.ts";

export const contactsQuery = queryOptions({
  queryKey: ["contacts"],
  queryFn: ({ signal }) => api.contacts.list({ signal }),
});

/** Asked again when the verdict brings a report, and when the transaction is executed. */
export const recipientsQuery = ({ requestHash, status, approvals }: TransactionView) =>
  queryOptions({
    networkMode: "always",
    queryKey: ["recipients", requestHash, status, approvals.orion.length],
    queryFn: ({ signal }) => api.recipients(requestHash, { signal }),
  });

/** Runs a change of the address book. Everything that shows names is asked again, whatever the answer. */
export function useContactChange<Given>(
  change: (given: Given) => Promise<unknown>,
  onDone?: () => void,
): UseMutationResult<unknown, Error, Given> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    ...(onDone === undefined ? {} : { onSuccess: onDone }),
    onSettled: () =>
      Promise.all(["contacts", "recipients"].map((name) => client.invalidateQueries({ queryKey: [name] }))),
  });
}
