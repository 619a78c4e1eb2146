// Transaction queries. Each response is stored with the time of its request.
import type { Api, Receipt, TransactionView } from "@countersign/sdk";
import { infiniteQueryOptions, queryOptions, useQuery, type QueryClient } from "@tanstack/react-query";
import { api } from "./api.ts";
import { configQuery } from "./config.ts";
import { newer, newerPages, type Known, type Pages, type TransactionPage } from "./known.ts";
import { liveNow, transactionKeys, useLiveState } from "./live.ts";
import { useNow } from "./time.ts";

/** Polls slowly while events arrive, and fast otherwise or after a bad response. */
const pollIntervalMs = (isGood: boolean): number => (isGood && liveNow().state === "live" ? 60_000 : 4000);

type Asked<Answer> = { readonly state: { readonly status: string; readonly data: Answer | undefined } };
const pollOne = ({ state }: Asked<Known<TransactionView>>): number =>
  pollIntervalMs(state.status !== "error" && state.data?.isLatest !== false);
const pollAll = ({ state }: Asked<Pages>): number =>
  pollIntervalMs(state.status !== "error" && state.data?.pages.every(({ isLatest }) => isLatest) !== false);

/**
 * Runs offline too: a paused query would leave the page without an error. Preloaded data is not refetched on mount, but is when
 * the page becomes visible again.
 */
const reading = { networkMode: "always", staleTime: 2000, refetchOnWindowFocus: "always" } as const;

export const transactionQuery = (requestHash: string) =>
  queryOptions({
    ...reading,
    refetchInterval: pollOne,
    queryKey: transactionKeys.one(requestHash),
    queryFn: async ({ signal }): Promise<Known<TransactionView>> => {
      const asOf = new Date();
      return { value: await api.transaction(requestHash, { signal }), asOf, isLatest: true };
    },
    structuralSharing: (known, answer) =>
      newer(known as Known<TransactionView> | undefined, answer as Known<TransactionView>),
  });

/** The first page is small, so that it is there at once. */
const rowsPerPage = { first: 100, next: 1000 } as const;

export const inboxQuery = (account: string) =>
  infiniteQueryOptions({
    ...reading,
    refetchInterval: pollAll,
    queryKey: transactionKeys.list(account),
    queryFn: async ({ signal, pageParam: cursor }): Promise<TransactionPage> => {
      const asOf = new Date();
      const asked = {
        address: account,
        limit: cursor === undefined ? rowsPerPage.first : rowsPerPage.next,
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

/** Reads all transactions of the account, newest first. */
export async function readAll(account: string): Promise<readonly TransactionView[]> {
  const all: TransactionView[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await api.transactions({
      address: account,
      limit: rowsPerPage.next,
      ...(cursor === undefined ? {} : { cursor }),
    });
    all.push(...page.transactions);
    if (page.cursor === undefined) return all;
    cursor = page.cursor;
  }
}

/** Available once there is a verdict. */
export const receiptQuery = (requestHash: string) =>
  queryOptions({
    networkMode: "always",
    queryKey: transactionKeys.receipt(requestHash),
    queryFn: ({ signal }): Promise<Receipt> => api.receipt(requestHash, { signal }),
  });

/** The active verification services. */
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
 * Requests everything that a transaction page shows, in parallel with its code. Without a verdict there is no receipt yet; the
 * page requests it later.
 */
export function prefetch(client: QueryClient, requestHash: string): void {
  // The page reports the error, which the query keeps.
  const leaveToPage = (): void => undefined;
  void client.query(transactionQuery(requestHash)).catch(leaveToPage);
  void client.query(receiptQuery(requestHash)).catch(leaveToPage);
  void client.query(servicesQuery).catch(leaveToPage);
}

/** Reads a transaction from the service, whatever is cached. */
export const readAgain = (client: QueryClient, requestHash: string): Promise<Known<TransactionView>> =>
  client.query({ ...transactionQuery(requestHash), staleTime: 0 });

export type Freshness = { readonly asOf: Date; readonly isConfirmed: boolean };

/** Data younger than this counts as confirmed. */
const freshMs = 12_000;

type Read = { readonly asOf: Date; readonly isLatest: boolean; readonly hasFailed: boolean };

/** Data is confirmed while events arrive, or for a short time after a read. */
export function useFreshness({ asOf, isLatest, hasFailed }: Read): Freshness {
  const live = useLiveState();
  const now = useNow(2000);
  const isRecent = now.getTime() - asOf.getTime() < freshMs;
  return { asOf, isConfirmed: isLatest && !hasFailed && (live.state === "live" || isRecent) };
}

/** Returns the audience of signed requests. */
export const useServiceAddress = (): string | undefined => useQuery(configQuery).data?.apiUrl;
