// The one door to the service. Calls go to this page's own origin, where the server adds the session that no script can read.
import { createCountersign, type Countersign } from "@countersign/sdk";

/** Says that it is this page that calls: another page cannot send it without asking, and is never allowed to. */
export const pageHeader = ["x-countersign-page", "1"] as const;

/** What signs in is answered with cookies instead of tokens, by our own server. */
const ownPaths: Readonly<Record<string, string>> = { "/auth/siwe/verify": "/session" };

export const throughOurServer: typeof fetch = (input, init) => {
  const { pathname, search } = new URL(input instanceof Request ? input.url : input, location.origin);
  const headers = new Headers(init?.headers);
  headers.set(...pageHeader);
  return fetch(`${ownPaths[pathname] ?? `/api${pathname}`}${search}`, { ...init, headers });
};

export const api: Countersign = createCountersign({
  url: location.origin,
  fetch: throughOurServer,
  // A person waits: better to say soon that there was no answer than to try for long.
  retries: 1,
  timeoutMs: 15_000,
});
