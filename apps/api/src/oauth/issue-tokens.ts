import { Problem } from "@countersign/platform/errors";
import type { Log } from "@countersign/platform/log";
import { accessSeconds, type AccessTokens } from "./access-token.ts";
import type { makeAuthenticateClient } from "./authenticate-client.ts";
import type { Client } from "./client.ts";
import { oauthErrors } from "./errors.ts";
import { chooseGranted, checkCode, checkRefresh, type RefreshPolicy } from "./check-tokens.ts";
import type { Scope } from "./scopes.ts";
import { hashOfSecret, makeSecretText } from "./secret-text.ts";
import type { CodeStore } from "./store/codes.ts";
import type { HeldGrant, RefreshTokenStore } from "./store/refresh-tokens.ts";

/** Thirty days, as the specification says. Each renewal restarts them. */
const refreshSeconds = 30 * 24 * 60 * 60;

type Parts = {
  readonly authenticateClient: ReturnType<typeof makeAuthenticateClient>;
  readonly checkResource: (resource: string | readonly string[] | undefined) => void;
  readonly accessTokens: AccessTokens;
  readonly codes: CodeStore;
  readonly refreshTokens: RefreshTokenStore;
  readonly refreshPolicy: RefreshPolicy;
  readonly log: Log;
};

/** The client's parameters. */
export type TokenRequest = {
  readonly grantType: string | undefined;
  readonly code: string | undefined;
  readonly codeVerifier: string | undefined;
  readonly redirectUri: string | undefined;
  readonly refreshToken: string | undefined;
  readonly scope: string | undefined;
  readonly resource: string | readonly string[] | undefined;
};

export type IssuedTokens = {
  readonly accessToken: string;
  readonly expiresInSeconds: number;
  readonly refreshToken: string;
  readonly scopes: readonly Scope[];
};

type Exchanged = { readonly grant: HeldGrant; readonly refreshToken: string };
type Exchange = (client: Client, asked: TokenRequest) => Promise<Exchanged>;

const newRefreshToken = () => {
  const refreshToken = makeSecretText();
  return {
    refreshToken,
    next: { tokenHash: hashOfSecret(refreshToken), lifeSeconds: refreshSeconds },
  };
};

const makeRedeemCode =
  ({ codes, checkResource, log }: Parts): Exchange =>
  async (client, { code: shown, codeVerifier, redirectUri, resource }) => {
    if (shown === undefined) throw oauthErrors.invalidRequest({ message: "code is missing" });
    const { refreshToken, next } = newRefreshToken();
    const settled = await codes.settle({ codeHash: hashOfSecret(shown), clientId: client.id, next }, (held) =>
      checkCode(held, {
        ...{ redirectUri, codeVerifier },
        checkResource: () => {
          checkResource(resource);
        },
      }),
    );
    if (settled?.verdict === "replayed")
      log.warn("authorization code presented again, grant ended", {
        address: settled.code.account,
        key: settled.code.grantId,
      });
    if (settled?.verdict !== "redeem") throw oauthErrors.invalidGrant();
    return { grant: settled.code, refreshToken };
  };

const makeRotate =
  ({ refreshTokens, checkResource, refreshPolicy, log }: Parts): Exchange =>
  async (client, { refreshToken: shown, scope, resource }) => {
    if (shown === undefined) throw oauthErrors.invalidRequest({ message: "refresh_token is missing" });
    const { refreshToken, next } = newRefreshToken();
    const checks = {
      scope,
      checkResource: () => {
        checkResource(resource);
      },
    };
    const settled = await refreshTokens.settle(
      { tokenHash: hashOfSecret(shown), clientId: client.id, next },
      (held) => checkRefresh(held, checks, refreshPolicy),
    );
    if (settled?.verdict === "reused")
      log.warn("used refresh token presented again, grant ended", {
        address: settled.token.account,
        key: settled.token.grantId,
      });
    if (settled?.verdict !== "rotate") throw oauthErrors.invalidGrant();
    return { grant: settled.token, refreshToken };
  };

/** Our own failure must not look like the client's fault: it would discard its tokens and ask the owner again. */
export function blameOurselves(error: unknown): never {
  throw error instanceof Problem ? error : oauthErrors.temporarilyUnavailable({ cause: error });
}

/** Issues tokens for a code or a refresh token. */
export function makeIssueTokens(parts: Parts) {
  const { authenticateClient, accessTokens } = parts;
  const exchanges = new Map<string, Exchange>([
    ["authorization_code", makeRedeemCode(parts)],
    ["refresh_token", makeRotate(parts)],
  ]);
  const issue = async (
    presented: Parameters<typeof authenticateClient>[0],
    asked: TokenRequest,
  ): Promise<IssuedTokens> => {
    if (asked.grantType === undefined) throw oauthErrors.invalidRequest({ message: "grant_type is missing" });
    const exchange = exchanges.get(asked.grantType);
    if (exchange === undefined) throw oauthErrors.unsupportedGrantType();
    const client = await authenticateClient(presented);
    await accessTokens.prepare();
    const { grant, refreshToken } = await exchange(client, asked);
    const scopes =
      asked.grantType === "refresh_token" ? chooseGranted(grant.scopes, asked.scope) : grant.scopes;
    const accessToken = await accessTokens.mint({ ...grant, scopes });
    return { accessToken, expiresInSeconds: accessSeconds, refreshToken, scopes };
  };
  return (...given: Parameters<typeof issue>): Promise<IssuedTokens> => issue(...given).catch(blameOurselves);
}
