// Queries for public agent data.
import type { Api } from "@countersign/sdk";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api } from "../../lib/api.ts";

export const periods = ["24h", "7d", "30d", "all"] as const;
export type Period = (typeof periods)[number];

const pathOf = (address: string, rest = ""): string => `/public/agents/${encodeURIComponent(address)}${rest}`;

export const profileQuery = (address: string) =>
  queryOptions({
    queryKey: ["agents", address.toLowerCase()],
    queryFn: async ({ signal }) => (await api.request<Api.PublicAgent>(pathOf(address), { signal })).body,
  });

export const metricsQuery = (address: string, period: Period) =>
  queryOptions({
    queryKey: ["agents", address.toLowerCase(), "metrics", period],
    queryFn: async ({ signal }) =>
      (await api.request<Api.PublicMetrics>(pathOf(address, "/metrics"), { query: { period }, signal })).body,
  });

const nextOf = (link: string | null): string | undefined => /[?&]cursor=([^&>]+)/.exec(link ?? "")?.[1];

export const transactionsQuery = (address: string) =>
  infiniteQueryOptions({
    queryKey: ["agents", address.toLowerCase(), "transactions"],
    initialPageParam: "",
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: 25, ...(pageParam === "" ? {} : { cursor: pageParam }) };
      const { body, headers } = await api.request<readonly Api.PublicTransaction[]>(
        pathOf(address, "/transactions"),
        { query, signal },
      );
      return { transactions: body, next: nextOf(headers.get("link")) };
    },
    getNextPageParam: ({ next }) => (next === undefined ? undefined : decodeURIComponent(next)),
  });

export const transactionQuery = (address: string, requestHash: string) =>
  queryOptions({
    queryKey: ["agents", address.toLowerCase(), "transactions", requestHash.toLowerCase()],
    queryFn: async ({ signal }) =>
      (
        await api.request<Api.PublicTransaction>(
          pathOf(address, `/transactions/${encodeURIComponent(requestHash)}`),
          { signal },
        )
      ).body,
  });
