import type { Authenticator, Caller } from "@countersign/platform/http";
import type { Account } from "../accounts/index.ts";
import type { AskOne } from "../platform/ask-together.ts";
import { bearerTokenIn } from "./bearer.ts";
import type { Tokens } from "./tokens.ts";

/** An owner who signed in with their wallet. */
export type JwtCaller = Caller & {
  readonly scheme: "jwt";
  readonly userId: string;
  readonly account: Account;
  readonly sessionId: string;
};

/** Authenticates `Authorization: Bearer` with an access token from a sign-in whose session is still open. */
export const makeJwtAuthenticator = (
  tokens: Pick<Tokens, "readAccess">,
  isLive: AskOne,
): Authenticator<JwtCaller> => ({
  scheme: "jwt",
  carrier: "authorization",
  security: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "An access token from POST /auth/siwe/verify.",
  },
  challenge: "Bearer",
  isPresented: ({ headers }) => headers["authorization"] !== undefined,
  authenticate: async ({ headers }) => {
    const token = bearerTokenIn(headers);
    const subject = token === undefined ? undefined : await tokens.readAccess(token);
    if (subject === undefined || !(await isLive(subject.sessionId))) return undefined;
    return { scheme: "jwt", subject: subject.account, scopes: [], ...subject };
  },
});
