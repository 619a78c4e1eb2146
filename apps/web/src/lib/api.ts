// The API client. Calls go to this origin, where the server adds the session that scripts cannot read.
import { createCountersign, type Countersign } from "@countersign/sdk";

/** Custom header against CSRF: other origins cannot send it without a CORS preflight, which is never allowed. */
export const pageHeader = ["x-countersign-page", "1"] as const;

/** Sign-in goes to our own server, which sets cookies instead of returning tokens. */
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
  // A user is waiting: fail fast rather than retry for long.
  retries: 1,
  timeoutMs: 15_000,
});
