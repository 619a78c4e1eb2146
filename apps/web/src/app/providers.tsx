import { AuthenticationError } from "@countersign/sdk";
import { QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { useState, type JSX } from "react";
import { sessionQuery } from "../lib/session.ts";
import { router } from "./router.tsx";

function makeClient(): QueryClient {
  const client: QueryClient = new QueryClient({
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
  return client;
}

export function Providers(): JSX.Element {
  const [client] = useState(makeClient);
  return (
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  );
}
