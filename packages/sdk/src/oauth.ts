// OAuth 2.1 with PKCE, for MCP clients. The tokens are valid at `{url}/mcp` only.
import { CountersignError } from "./errors.ts";
import type { PostOauthRegisterResponse } from "./generated/api.ts";
import { makeHttp, type ConnectionOptions } from "./http.ts";
import { readOrigin } from "./http/service.ts";
import type { RequestOptions } from "./options.ts";
import { makePkce, randomText } from "./pkce.ts";
import type { OAuthTokens } from "./types.ts";

type At = ConnectionOptions & RequestOptions;

/** A registered OAuth client. */
export type OAuthClient = Pick<PostOauthRegisterResponse, "client_id" | "redirect_uris">;

/** Registers an OAuth client. Call it once per installation of a program and store the result. */
export async function registerOAuthClient(
  options: At & { readonly name: string; readonly redirectUri: string },
): Promise<OAuthClient> {
  const { name, redirectUri, signal } = options;
  const { body } = await makeHttp(options)<PostOauthRegisterResponse>("/oauth/register", {
    ...{ method: "POST", signal },
    body: {
      client_name: name,
      redirect_uris: [redirectUri],
      grant_types: ["authorization_code", "refresh_token"],
      // A program on the user's machine cannot keep a secret; PKCE replaces it.
      token_endpoint_auth_method: "none",
    },
  });
  return { client_id: body.client_id, redirect_uris: body.redirect_uris };
}

/** A pending authorization, created by `authorize`. */
export type Authorization = {
  /** Open it in the user's browser. */
  readonly authorizationUrl: string;
  /**
   * Exchanges the callback address of the browser for tokens. Rejects with a CountersignError if the owner declined, or
   * the callback belongs to another authorization or service.
   */
  readonly finish: (callbackUrl: string) => Promise<OAuthTokens>;
};

/**
 * Starts an authorization with PKCE.
 *
 * @example
 * const { authorizationUrl, finish } = await authorize({ url, client, redirectUri });
 * const tokens = await finish(await openInBrowser(authorizationUrl));
 */
export async function authorize(
  options: At & { readonly client: OAuthClient; readonly redirectUri: string; readonly scope?: string },
): Promise<Authorization> {
  const { client, redirectUri, scope } = options;
  const issuer = readOrigin(options.url);
  const { verifier, challenge } = await makePkce();
  const state = randomText();
  const resource = resourceOf(options);
  const address = new URL("/oauth/authorize", issuer);
  const query = {
    response_type: "code",
    client_id: client.client_id,
    redirect_uri: redirectUri,
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...{ state, resource },
    ...(scope === undefined ? {} : { scope }),
  };
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
  return {
    authorizationUrl: address.href,
    finish: async (callbackUrl) => {
      const code = readCallback(callbackUrl, { state, issuer });
      return askForTokens(options, {
        ...{ grant_type: "authorization_code", code, code_verifier: verifier },
        ...{ client_id: client.client_id, redirect_uri: redirectUri, resource },
      });
    },
  };
}

/** Exchanges a refresh token for new tokens. The old refresh token is no longer valid. */
export const refreshOAuth = (
  options: At & { readonly client: OAuthClient; readonly refreshToken: string },
): Promise<OAuthTokens> =>
  askForTokens(options, {
    ...{ grant_type: "refresh_token", refresh_token: options.refreshToken },
    ...{ client_id: options.client.client_id, resource: resourceOf(options) },
  });

/** The resource that the tokens are valid for (RFC 8707). */
const resourceOf = ({ url }: At): string => `${readOrigin(url)}/mcp`;

/** Revokes a grant by either of its tokens. Both become invalid. */
export async function revokeOAuth(
  options: At & { readonly client: OAuthClient; readonly token: string },
): Promise<void> {
  await makeHttp(options)("/oauth/revoke", {
    // Revoking twice returns the same response.
    ...{ method: "POST", isRepeatable: true, signal: options.signal },
    form: { token: options.token, client_id: options.client.client_id },
  });
}

async function askForTokens(options: At, form: Readonly<Record<string, string>>): Promise<OAuthTokens> {
  const ask = { method: "POST", form, signal: options.signal } as const;
  return (await makeHttp(options)<OAuthTokens>("/oauth/token", ask)).body;
}

/**
 * `state` proves that the callback belongs to this authorization, `iss` that it comes from this service (RFC 9207). The
 * service always sends `iss`, so a callback without it is rejected.
 */
function readCallback(url: string, expected: { readonly state: string; readonly issuer: string }): string {
  if (!URL.canParse(url)) throw new CountersignError("Invalid callback address");
  const { searchParams: said } = new URL(url);
  if (only(said, "state") !== expected.state)
    throw new CountersignError("The callback belongs to another authorization: its state differs");
  if (only(said, "iss") !== expected.issuer)
    throw new CountersignError("The callback comes from another service: its issuer differs");
  const code = only(said, "code");
  if (said.has("error") || code === undefined) throw new CountersignError(refusalOf(said));
  return code;
}

/** Treats a repeated parameter as missing (RFC 6749, 3.1). */
function only(said: URLSearchParams, name: string): string | undefined {
  const [value, ...others] = said.getAll(name);
  return others.length > 0 ? undefined : value;
}

function refusalOf(said: URLSearchParams): string {
  if (said.get("error") === "access_denied") return "The owner declined access";
  return said.get("error_description") ?? said.get("error") ?? "The callback contains no code";
}
