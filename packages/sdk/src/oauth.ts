// OAuth 2.1 with PKCE, for a program that speaks MCP: its tokens are good at `{url}/mcp`, and nowhere else.
import { CountersignError } from "./errors.ts";
import type { PostOauthRegisterResponse } from "./generated/api.ts";
import { makeHttp, type HttpOptions } from "./http.ts";
import { readOrigin } from "./http/service.ts";
import type { RequestOptions } from "./options.ts";
import { makePkce, randomText } from "./pkce.ts";
import type { OAuthTokens } from "./types.ts";

type At = Omit<HttpOptions, "credential"> & RequestOptions;

export type OAuthClient = Pick<PostOauthRegisterResponse, "client_id" | "redirect_uris">;

/** Once for each installation of a program; keep the answer. */
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
      // Whatever is installed at a user's can keep no secret; PKCE takes its place.
      token_endpoint_auth_method: "none",
    },
  });
  return { client_id: body.client_id, redirect_uris: body.redirect_uris };
}

export type Authorization = {
  /** Open it in the user's browser. */
  readonly authorizationUrl: string;
  /** With the address that the browser was sent back to. */
  readonly finish: (callbackUrl: string) => Promise<OAuthTokens>;
};

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

/** The token that was used is worth nothing any more. */
export const refreshOAuth = (
  options: At & { readonly client: OAuthClient; readonly refreshToken: string },
): Promise<OAuthTokens> =>
  askForTokens(options, {
    ...{ grant_type: "refresh_token", refresh_token: options.refreshToken },
    ...{ client_id: options.client.client_id, resource: resourceOf(options) },
  });

/** What the tokens are for (RFC 8707). */
const resourceOf = ({ url }: At): string => `${readOrigin(url)}/mcp`;

/** Either token of a grant: both are worth nothing from then on. */
export async function revokeOAuth(
  options: At & { readonly client: OAuthClient; readonly token: string },
): Promise<void> {
  await makeHttp(options)("/oauth/revoke", {
    // What was given back is answered alike, however often.
    ...{ method: "POST", isRepeatable: true, signal: options.signal },
    form: { token: options.token, client_id: options.client.client_id },
  });
}

async function askForTokens(options: At, form: Readonly<Record<string, string>>): Promise<OAuthTokens> {
  const ask = { method: "POST", form, signal: options.signal } as const;
  return (await makeHttp(options)<OAuthTokens>("/oauth/token", ask)).body;
}

/**
 * `state` says that it is our question that is answered; `iss`, that this service answers it and not one that led the
 * browser here (RFC 9207). It always says so: an answer without is not its own.
 */
function readCallback(url: string, expected: { readonly state: string; readonly issuer: string }): string {
  if (!URL.canParse(url)) throw new CountersignError("This is not the address that the browser was sent to");
  const { searchParams: said } = new URL(url);
  if (only(said, "state") !== expected.state)
    throw new CountersignError("This answer belongs to another authorization: its state differs");
  if (only(said, "iss") !== expected.issuer)
    throw new CountersignError("This answer comes from another service: its issuer differs");
  const code = only(said, "code");
  if (said.has("error") || code === undefined) throw new CountersignError(refusalOf(said));
  return code;
}

/** Said twice is not said (RFC 6749, 3.1). */
function only(said: URLSearchParams, name: string): string | undefined {
  const [value, ...others] = said.getAll(name);
  return others.length > 0 ? undefined : value;
}

function refusalOf(said: URLSearchParams): string {
  if (said.get("error") === "access_denied") return "The owner has refused access";
  return said.get("error_description") ?? said.get("error") ?? "There is no code in this answer";
}
