// One request, sent once.
import { ConnectionError } from "../errors.ts";
import { makeDeadline } from "./deadline.ts";

export type Letter = {
  readonly address: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string | URLSearchParams | undefined;
};

type Arrived = { readonly status: number; readonly headers: Headers; readonly text: string };

/** No response, or an incomplete one. The request may have arrived. */
type Lost = { readonly status: "lost"; readonly why: string };

export type Outcome = Arrived | Lost;

type Sending = {
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number;
};

export async function attempt(letter: Letter, { fetch, signal, timeoutMs }: Sending): Promise<Outcome> {
  signal?.throwIfAborted();
  const deadline = makeDeadline(timeoutMs, signal);
  try {
    const response = await send(letter, fetch, deadline.signal);
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (error) {
    // An abort by the caller rejects with the caller's reason.
    signal?.throwIfAborted();
    if (error instanceof ConnectionError) throw error;
    return {
      status: "lost",
      why: deadline.isLate() ? `timed out after ${timeoutMs / 1000} s` : reasonOf(error),
    };
  } finally {
    deadline.end();
  }
}

/** Resolves with the headers of a response. The caller reads or drops the body. */
export async function send(
  { address, method, headers, body }: Letter,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
): Promise<Response> {
  const response = await fetch(address, {
    ...{ method, headers, signal },
    // Redirects are not followed, because they would send the credential to another address. (Edge runtimes lack "error".)
    redirect: "manual",
    ...(body === undefined ? {} : { body }),
  });
  if (isRedirect(response)) {
    await drop(response);
    throw new ConnectionError(redirectText(address, method, response.headers.get("location")));
  }
  return response;
}

const redirects: readonly number[] = [301, 302, 303, 307, 308];

/** In a browser a redirect is opaque. */
const isRedirect = ({ type, status }: Response): boolean =>
  type === "opaqueredirect" || redirects.includes(status);

function redirectText(address: string, method: string, location: string | null): string {
  const { origin, pathname } = new URL(address);
  const to = URL.canParse(location ?? "", address) ? ` to ${new URL(location ?? "", address).origin}` : "";
  return `${origin} redirects ${method} ${pathname}${to}. Redirects are not followed: check the service's address`;
}

/** Discards the body so that the connection can be reused. */
export async function drop(response: Response): Promise<void> {
  await response.body?.cancel().catch(() => undefined);
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "the connection broke off",
  UND_ERR_SOCKET: "the connection broke off",
  ENOTFOUND: "there is no such host",
  EAI_AGAIN: "its name could not be looked up",
};

/**
 * Of what a runtime says, only the code. Its sentences may quote the request, and the request holds a credential; for the
 * same reason it is not kept as the cause.
 */
export function reasonOf(error: unknown): string {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const { code } = at as { readonly code?: unknown };
    if (typeof code === "string" && /^[A-Z][A-Z0-9_]+$/.test(code)) return reasons[code] ?? code;
  }
  return "the connection failed";
}
