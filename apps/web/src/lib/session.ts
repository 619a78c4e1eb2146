// Who is signed in. The session itself is in cookies that no script can read: this is what the server says of it.
import type { Hex } from "@countersign/sdk";
import { queryOptions, type QueryClient } from "@tanstack/react-query";
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

/** Everything else that was read was read as somebody else. The session stays, since pages look at it. */
function forget(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
}

type Signer = Parameters<typeof import("@countersign/sdk/viem").signIn>[0]["wallet"];

/** The wallet signs who it is; the server keeps what the service gives for it. */
export async function signInWith(wallet: Signer, chainId: number, client: QueryClient): Promise<void> {
  const { signIn } = await import("./signing.ts");
  await signIn({ url: location.origin, wallet, chainId, fetch: throughOurServer });
  forget(client);
  await client.query({ ...sessionQuery, staleTime: 0 });
}

/** True to its word only: signed out is what the server has confirmed. */
export async function signOut(
  client: QueryClient,
  { everywhere }: { readonly everywhere: boolean },
): Promise<void> {
  const answer = await ask("DELETE", everywhere ? "/session?everywhere=true" : "/session");
  if (!answer.ok && answer.status !== 401) throw new Error("We couldn’t sign you out. Try again.");
  client.setQueryData(sessionQuery.queryKey, null);
  forget(client);
}
