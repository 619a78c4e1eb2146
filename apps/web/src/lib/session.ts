// The session state. The session itself is in HttpOnly cookies.
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

/** Removes data of the previous account. The session query stays, since mounted pages use it. */
function forget(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
}

type Signer = Parameters<typeof import("@countersign/sdk/viem").signIn>[0]["wallet"];

/** Signs in with a wallet signature. The server stores the tokens in cookies. */
export async function signInWith(wallet: Signer, chainId: number, client: QueryClient): Promise<void> {
  const { signIn } = await import("./signing.ts");
  await signIn({ url: location.origin, wallet, chainId, fetch: throughOurServer });
  forget(client);
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
