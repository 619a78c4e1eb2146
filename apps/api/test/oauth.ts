import { createHash } from "node:crypto";
import { bearer, signIn, type SignedIn } from "./sign-in.ts";
import type { TestApi } from "./test-api.ts";
import type { AuthMethod } from "../src/oauth/client.ts";

export const callback = "http://localhost:3118/callback";

export type TestClient = {
  readonly client_id: string;
  readonly client_secret?: string;
  readonly redirect_uris: readonly string[];
};

export const register = ({ http }: TestApi, payload: object, remoteAddress?: string) =>
  http.send({
    method: "POST",
    url: "/oauth/register",
    payload,
    ...(remoteAddress === undefined ? {} : { remoteAddress }),
  });

async function aClient(
  api: TestApi,
  method: AuthMethod,
  redirectUris: readonly string[],
): Promise<TestClient> {
  const answer = await register(api, {
    redirect_uris: redirectUris,
    client_name: "A test client",
    token_endpoint_auth_method: method,
  });
  return answer.json<TestClient>();
}

export const aPublicClient = (
  api: TestApi,
  redirectUris: readonly string[] = [callback],
): Promise<TestClient> => aClient(api, "none", redirectUris);

export async function aSecretClient(
  api: TestApi,
  method: "client_secret_post" | "client_secret_basic" = "client_secret_post",
  redirectUris: readonly string[] = [callback],
): Promise<TestClient & { readonly client_secret: string }> {
  const { client_secret: secret, ...client } = await aClient(api, method, redirectUris);
  if (secret === undefined) throw new Error(`no secret was given to a ${method} client`);
  return { ...client, client_secret: secret };
}

export const verifier = "v".repeat(43);
export const challenge = createHash("sha256").update(verifier).digest("base64url");
export const state = "what the client wants to hear again";

type Parameters = Readonly<Record<string, string | undefined>>;

/** The parameters of a valid client. A test changes only what it is about. Undefined omits a parameter. */
export function authorizeUrl(
  { client_id, redirect_uris: [redirect_uri] }: TestClient,
  more: Parameters = {},
): string {
  const asked = {
    ...{ client_id, redirect_uri, state, response_type: "code" },
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...more,
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(asked)) if (value !== undefined) query.append(name, value);
  return `/oauth/authorize?${query.toString()}`;
}

/** The id of a request for access that waits for its owner. */
export async function aConsentSession(
  { http }: TestApi,
  client: TestClient,
  more: Parameters = {},
): Promise<string> {
  const { headers } = await http.send(authorizeUrl(client, more));
  return new URL(headers.location ?? "").searchParams.get("session") ?? "";
}

export const approve = ({ http }: TestApi, who: Pick<SignedIn, "accessToken">, sessionId: unknown) =>
  http.send({ method: "POST", url: "/oauth/approve", payload: { sessionId }, headers: bearer(who) });

/** A code right after the owner's approval. */
export async function aCode(
  api: TestApi,
  client: TestClient,
  { who, ...more }: { readonly who?: SignedIn; readonly scope?: string } = {},
): Promise<string> {
  const sessionId = await aConsentSession(api, client, more);
  const answer = await approve(api, who ?? (await signIn(api)), sessionId);
  return new URL(answer.json<{ redirectUrl: string }>().redirectUrl).searchParams.get("code") ?? "";
}

const form = { "content-type": "application/x-www-form-urlencoded" };

/** As a form, with the client's id and its secret, if it has one. */
export function askTokens({ http }: TestApi, { client_id, client_secret }: TestClient, more: Parameters) {
  const asked = Object.entries({ client_id, client_secret, ...more }).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
  const payload = new URLSearchParams(asked).toString();
  return http.send({ method: "POST", url: "/oauth/token", payload, headers: form });
}

export const redeem = (api: TestApi, client: TestClient, code: string, more: Parameters = {}) =>
  askTokens(api, client, {
    ...{ grant_type: "authorization_code", code, code_verifier: verifier },
    redirect_uri: client.redirect_uris[0],
    ...more,
  });

export const renew = (api: TestApi, client: TestClient, refreshToken: string, more: Parameters = {}) =>
  askTokens(api, client, { grant_type: "refresh_token", refresh_token: refreshToken, ...more });

export type TestTokens = {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly scope: string;
};

/** The tokens of a program that an owner connected. */
export async function aGrant(
  api: TestApi,
  client: TestClient,
  asked: { readonly who?: SignedIn; readonly scope?: string } = {},
): Promise<TestTokens> {
  return (await redeem(api, client, await aCode(api, client, asked))).json<TestTokens>();
}
