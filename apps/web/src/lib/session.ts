// The session state. The session itself is in HttpOnly cookies.
import type { Hex } from "@countersign/sdk";
import { queryOptions, type QueryClient } from "@tanstack/react-query";
import { setPendingCount } from "./pending-count.ts";
import { pageHeader, throughOurServer } from "./api.ts";

type SignedIn = { readonly address: Hex };

const ask = async (method: "GET" | "DELETE", path = "/session"): Promise<Response> =>
  fetch(path, { method, headers: new Headers([[...pageHeader]]) });

async function readSession(): Promise<SignedIn | null> {
  const answer = await ask("GET");
  if (!answer.ok) throw new Error("We couldn’t check whether you’re signed in.");
  const { address } = (await answer.json()) as { readonly address: Hex | null };
  return address === null ? null : { address };
}

export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: readSession,
  staleTime: 60_000,
});

/** Removes data of the previous account. The session query stays, since mounted pages use it. */
function forget(client: QueryClient): void {
  setPendingCount(0);
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
}

type Signer = Parameters<typeof import("@countersign/sdk/viem").signIn>[0]["wallet"];

/** Signs in with a wallet signature. The server stores the tokens in cookies. */
export async function signInWith(wallet: Signer, chainId: number, client: QueryClient): Promise<void> {
  const { signIn } = await import("./signing.ts");
  await signIn({ url: location.origin, wallet, chainId, fetch: throughOurServer });
  forget(client);
  client.removeQueries({ queryKey: endedKey });
  client.removeQueries({ queryKey: decidedKey });
  await client.query({ ...sessionQuery, staleTime: 0 });
}

/** Throws unless the server confirmed the sign-out. */
export async function signOut(
  client: QueryClient,
  { everywhere }: { readonly everywhere: boolean },
): Promise<void> {
  const answer = await ask("DELETE", everywhere ? "/session?everywhere=true" : "/session");
  if (!answer.ok && answer.status !== 401) throw new Error("We couldn’t sign you out. Try again.");
  client.setQueryData(sessionQuery.queryKey, null);
  forget(client);
}

/** Why the sign-in page replaced a page, kept under the session's own key. */
const endedKey = [sessionQuery.queryKey[0], "ended"] as const;
const decidedKey = [sessionQuery.queryKey[0], "decided"] as const;

type Decided = { readonly decision: "APPROVED" | "REJECTED"; readonly at: string };
export type SessionEnd = { readonly isEnded: boolean; readonly decided: Decided | undefined };

/** Shows the sign-in page in place, with the reason. */
export function endSession(client: QueryClient): void {
  const session = client.getQueryData(sessionQuery.queryKey);
  client.setQueryData(endedKey, session != null || client.getQueryData<boolean>(endedKey) === true);
  client.setQueryData(sessionQuery.queryKey, null);
}

/** Remembers the last decision, so that it is reported even if the session ends before the page can show it. */
export const noteDecided = (client: QueryClient, decision: Decided["decision"], at: string): void => {
  client.setQueryData(decidedKey, { decision, at } satisfies Decided);
};

export const sessionEnd = (client: QueryClient): SessionEnd => ({
  isEnded: client.getQueryData<boolean>(endedKey) === true,
  decided: client.getQueryData<Decided>(decidedKey),
});
