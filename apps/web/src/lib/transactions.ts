// How transactions are read. Every answer of the service is kept with the time at which it was asked for.
import type { Api, Receipt, TransactionView } from "@countersign/sdk";
import { infiniteQueryOptions, queryOptions, useQuery, type QueryClient } from "@tanstack/react-query";
import { api } from "./api.ts";
import { configQuery } from "./config.ts";
import { newer, newerPages, type Known, type Pages, type TransactionPage } from "./known.ts";
import { liveNow, transactionKeys, useLiveState } from "./live.ts";
import { useNow } from "./time.ts";

/** As soon as something changes we are told. Where we are not, or the last answer is no good, we look. */
const lookEveryMs = (isGood: boolean): number => (isGood && liveNow().state === "live" ? 60_000 : 4000);

type Asked<Answer> = { readonly state: { readonly status: string; readonly data: Answer | undefined } };
const lookAtOne = ({ state }: Asked<Known<TransactionView>>): number =>
  lookEveryMs(state.status !== "error" && state.data?.isLatest !== false);
const lookAtAll = ({ state }: Asked<Pages>): number =>
  lookEveryMs(state.status !== "error" && state.data?.pages.every(({ isLatest }) => isLatest) !== false);

/**
 * Offline is an answer that did not come, too: a read that waits for better times would leave the page silent. What was read
 * ahead is not read again by the page that comes for it, but is when somebody comes back to the page.
 */
const reading = { networkMode: "always", staleTime: 2000, refetchOnWindowFocus: "always" } as const;

export const transactionQuery = (requestHash: string) =>
  queryOptions({
    ...reading,
    refetchInterval: lookAtOne,
    queryKey: transactionKeys.one(requestHash),
    queryFn: async ({ signal }): Promise<Known<TransactionView>> => {
      const asOf = new Date();
      return { value: await api.transaction(requestHash, { signal }), asOf, isLatest: true };
    },
    structuralSharing: (known, answer) =>
      newer(known as Known<TransactionView> | undefined, answer as Known<TransactionView>),
  });

const rowsPerPage = 100;

export const inboxQuery = (account: string) =>
  infiniteQueryOptions({
    ...reading,
    refetchInterval: lookAtAll,
    queryKey: transactionKeys.list(account),
    queryFn: async ({ signal, pageParam: cursor }): Promise<TransactionPage> => {
      const asOf = new Date();
      const asked = {
        address: account,
        limit: rowsPerPage,
        signal,
        ...(cursor === undefined ? {} : { cursor }),
      };
      const { transactions: value, cursor: next } = await api.transactions(asked);
      return { value, cursor: next, asOf, isLatest: true };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor,
    structuralSharing: (known, answer) => newerPages(known as Pages | undefined, answer as Pages),
  });

/** There once there is a verdict. */
export const receiptQuery = (requestHash: string) =>
  queryOptions({
    networkMode: "always",
    queryKey: transactionKeys.receipt(requestHash),
    queryFn: ({ signal }): Promise<Receipt> => api.receipt(requestHash, { signal }),
  });

/** Who signs verdicts, as the service has it. */
export const servicesQuery = queryOptions({
  queryKey: ["verification-services"],
  networkMode: "always",
  staleTime: 300_000,
  queryFn: async ({ signal }): Promise<Api.GetVerificationServicesActiveResponse> =>
    (
      await api.request<Api.GetVerificationServicesActiveResponse>("/verification-services/active", {
        signal,
      })
    ).body,
});

/**
 * Asks at once for all that a transaction's page shows, while its code is still on the way. Where there is no verdict yet there
 * is no receipt either; the page asks again when there is.
 */
export function readAhead(client: QueryClient, requestHash: string): void {
  // What goes wrong is kept with the question, and the page that comes for it tells it.
  const leaveToPage = (): void => undefined;
  void client.query(transactionQuery(requestHash)).catch(leaveToPage);
  void client.query(receiptQuery(requestHash)).catch(leaveToPage);
  void client.query(servicesQuery).catch(leaveToPage);
}

export type Freshness = { readonly asOf: Date; readonly isConfirmed: boolean };

/** A read that is no older than this is as good as being told. */
const freshMs = 12_000;

type Read = { readonly asOf: Date; readonly isLatest: boolean; readonly hasFailed: boolean };

/** Is what was read still so? Only if we would have been told of a change, or have just looked. */
export function useFreshness({ asOf, isLatest, hasFailed }: Read): Freshness {
  const live = useLiveState();
  const now = useNow(2000);
  const isRecent = now.getTime() - asOf.getTime() < freshMs;
  return { asOf, isConfirmed: isLatest && !hasFailed && (live.state === "live" || isRecent) };
}

/** What a signed request is addressed to. */
export const useServiceAddress = (): string | undefined => useQuery(configQuery).data?.apiUrl;
