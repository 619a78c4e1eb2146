import { AuthenticationError } from "@countersign/sdk";
import { QueryCache, QueryClient } from "@tanstack/react-query";
import { endSession } from "../lib/session.ts";

/** The query cache that all pages share. */
export const client: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      if (error instanceof AuthenticationError) endSession(client);
    },
  }),
  defaultOptions: {
    // The SDK retries already. Stale data stays on screen, labelled with its time.
    // Runs offline too: a paused query would show a placeholder for ever instead of an error.
    queries: { retry: false, staleTime: 5000, networkMode: "always" },
    mutations: { retry: false, networkMode: "always" },
  },
});
