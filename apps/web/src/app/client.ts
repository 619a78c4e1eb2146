import { AuthenticationError } from "@countersign/sdk";
import { QueryCache, QueryClient } from "@tanstack/react-query";
import { sessionQuery } from "../lib/session.ts";

/** The query cache that all pages share. */
export const client: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      // Shows the sign-in page in place when the session has ended.
      if (error instanceof AuthenticationError) client.setQueryData(sessionQuery.queryKey, null);
    },
  }),
  defaultOptions: {
    // The SDK retries already. Stale data stays on screen, labelled with its time.
    queries: { retry: false, staleTime: 5000 },
    mutations: { retry: false },
  },
});
