import { AuthenticationError } from "@countersign/sdk";
import { QueryCache, QueryClient } from "@tanstack/react-query";
import { sessionQuery } from "../lib/session.ts";

/** Everything that was read of the service, for all pages. */
export const client: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      // Whoever is not signed in any more is asked to, on the page they are on.
      if (error instanceof AuthenticationError) client.setQueryData(sessionQuery.queryKey, null);
    },
  }),
  defaultOptions: {
    // The SDK has tried again already. What is on screen stays, and says of when it is.
    queries: { retry: false, staleTime: 5000 },
    mutations: { retry: false },
  },
});
