import { randomUUID } from "node:crypto";
import { Problem } from "@countersign/platform/errors";
import { answerUri } from "./answer-uri.ts";
import type { BrowserMark } from "./browser-mark.ts";
import type { Client, FindClient } from "./client.ts";
import { oauthErrors } from "./errors.ts";
import { isCodeChallenge } from "./pkce.ts";
import { isAllowedRedirectUri, isSameRedirect } from "./redirect-uri.ts";
import { chooseScopes, type Scope } from "./scopes.ts";
import type { SessionStore } from "./store/sessions.ts";
import { describable, errorNameOf } from "./surface.ts";

/** How long an owner has to decide. */
const sessionSeconds = 10 * 60;

type Parts = {
  readonly findClient: FindClient;
  readonly checkResource: (resource: string | readonly string[] | undefined) => void;
  readonly sessions: Pick<SessionStore, "add">;
  readonly browserMark: BrowserMark;
  readonly baseUrl: string;
  readonly uiUrl: string;
};

/** The client's parameters. One without a value counts as missing. */
export type AuthorizationRequest = {
  readonly clientId: string;
  readonly redirectUri?: string | undefined;
  readonly responseType?: string | undefined;
  readonly codeChallenge?: string | undefined;
  readonly codeChallengeMethod?: string | undefined;
  readonly state?: string | undefined;
  readonly scope?: string | undefined;
  readonly resource?: string | readonly string[] | undefined;
};

/** Where the browser goes next: to the consent page, or back to the client with an error. */
export type SentOn = { readonly location: string; readonly cookie?: string };

/** Returns the requested redirect URI if it is registered, or the only registered one if none is requested. */
function chooseRedirectUri({ redirectUris }: Client, asked: string | undefined): string {
  const [only, ...others] = redirectUris;
  if (asked === undefined && only !== undefined && others.length === 0) return only;
  if (
    asked === undefined ||
    !isAllowedRedirectUri(asked) ||
    !redirectUris.some((registered) => isSameRedirect(asked, registered))
  )
    throw oauthErrors.redirectUriUnknown();
  return asked;
}

function checkResponseType(responseType: string | undefined): void {
  if (responseType === undefined) throw oauthErrors.invalidRequest({ message: "response_type is missing" });
  if (responseType !== "code") throw oauthErrors.unsupportedResponseType();
}

/** A missing method means `plain`, with which anyone who sees the request could redeem the code. */
function checkChallenge({ codeChallenge, codeChallengeMethod }: AuthorizationRequest): string {
  if (codeChallenge === undefined || !isCodeChallenge(codeChallenge))
    throw oauthErrors.invalidRequest({ message: "code_challenge must be the base64url of a SHA-256" });
  if (codeChallengeMethod !== "S256")
    throw oauthErrors.invalidRequest({ message: "code_challenge_method must be S256" });
  return codeChallenge;
}

function checkScopes(scope: string | undefined): readonly Scope[] {
  const scopes = chooseScopes(scope);
  if (scopes.length === 0) throw oauthErrors.invalidScope();
  return scopes;
}

/**
 * Starts asking an owner for a program's access. Until client and redirect URI are known to belong together,
 * errors are shown to the user in the browser; after that, the client gets them at that address.
 */
export const makeAuthorize = (parts: Parts) => {
  const { findClient, checkResource, sessions, browserMark, baseUrl, uiUrl } = parts;
  const check = (asked: AuthorizationRequest) => {
    checkResponseType(asked.responseType);
    const codeChallenge = checkChallenge(asked);
    checkResource(asked.resource);
    return { codeChallenge, scopes: checkScopes(asked.scope) };
  };
  const refuse = (error: unknown, redirectUri: string, state: string | null): SentOn => {
    if (!(error instanceof Problem)) throw error;
    const told = { error: errorNameOf(error.code), error_description: describable(error.message), state };
    return { location: answerUri(redirectUri, baseUrl, told) };
  };
  return async function authorize(
    asked: AuthorizationRequest,
    headers: Parameters<BrowserMark["give"]>[0],
  ): Promise<SentOn> {
    const client = await findClient(asked.clientId);
    if (client === undefined) throw oauthErrors.unknownClient();
    const redirectUri = chooseRedirectUri(client, asked.redirectUri);
    const state = asked.state ?? null;
    let checked: ReturnType<typeof check>;
    try {
      checked = check(asked);
    } catch (error) {
      return refuse(error, redirectUri, state);
    }
    const id = randomUUID();
    const { hash: browserHash, cookie } = browserMark.give(headers, sessionSeconds);
    await sessions.add({
      ...{ id, client, redirectUri, state, browserHash },
      ...checked,
      lifeSeconds: sessionSeconds,
    });
    return { location: `${uiUrl}/oauth/consent?session=${id}`, cookie };
  };
};
