import { credential, type Authenticator, type AuthRule, type Caller } from "@countersign/platform/http";
import type { Account } from "../accounts/index.ts";
import type { AskOne } from "../platform/ask-together.ts";
import { bearerTokenIn } from "../sign-in/index.ts";
import type { AccessTokens } from "./access-token.ts";

/** A program that an owner connected, within its scopes. Never the owner in person. */
export type OAuthCaller = Caller & {
  readonly scheme: "oauth";
  readonly userId: string;
  readonly account: Account;
  readonly clientId: string;
  readonly grantId: string;
};

/** An access token for /mcp. No other endpoint accepts one. */
export const oauth: AuthRule<OAuthCaller> = credential<OAuthCaller>("oauth");

/**
 * Authenticates `Authorization: Bearer` with an access token whose grant is still valid, checked in the
 * database each time.
 */
export const makeOAuthAuthenticator = (
  tokens: Pick<AccessTokens, "read">,
  isLive: AskOne,
): Authenticator<OAuthCaller> => ({
  scheme: "oauth",
  carrier: "authorization",
  security: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "An access token from POST /oauth/token. Only /mcp accepts it.",
  },
  challenge: "Bearer",
  isPresented: ({ headers }) => headers["authorization"] !== undefined,
  authenticate: async ({ headers }) => {
    const token = bearerTokenIn(headers);
    const subject = token === undefined ? undefined : await tokens.read(token);
    if (subject === undefined || !(await isLive(subject.grantId))) return undefined;
    return { scheme: "oauth", subject: subject.grantId, ...subject };
  },
});
