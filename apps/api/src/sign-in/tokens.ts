import { z } from "zod";
import type { Account } from "../accounts/index.ts";
import { makeSignedTokens, type TokenSigning } from "./signed-tokens.ts";

/** The user and the session that a token belongs to. */
type TokenSubject = { readonly userId: string; readonly account: Account; readonly sessionId: string };

type RefreshClaims = TokenSubject & { readonly tokenId: string };

export type Tokens = {
  readonly mintAccess: (subject: TokenSubject) => Promise<string>;
  readonly mintRefresh: (
    claims: RefreshClaims,
  ) => Promise<{ readonly token: string; readonly expiresAt: Date }>;
  /** Returns undefined for anything but a valid access token of ours. */
  readonly readAccess: (token: string) => Promise<TokenSubject | undefined>;
  readonly readRefresh: (token: string) => Promise<RefreshClaims | undefined>;
};

type Parts = TokenSigning & { readonly accessSeconds: number; readonly refreshSeconds: number };

const AccessClaims = z.object({
  sub: z.uuid(),
  eth: z.templateLiteral(["0x", z.string()]),
  sid: z.uuid(),
  exp: z.number(),
});
const RefreshTokenClaims = AccessClaims.extend({ jti: z.uuid() });

const subjectOf = ({ sub, eth, sid }: z.infer<typeof AccessClaims>): TokenSubject => ({
  userId: sub,
  account: eth,
  sessionId: sid,
});

export function makeTokens(parts: Parts): Tokens {
  // MCP tokens have another audience, so they are neither of these.
  const access = makeSignedTokens(parts, {
    typ: "at+jwt",
    audience: parts.issuer,
    Claims: AccessClaims,
    isShownOften: true,
  });
  const refresh = makeSignedTokens(parts, {
    typ: "rt+jwt",
    audience: `${parts.issuer}/auth/refresh`,
    Claims: RefreshTokenClaims,
    isShownOften: false,
  });
  const after = (seconds: number): Date => new Date(parts.clock.now().getTime() + seconds * 1000);
  return {
    mintAccess: ({ userId, account, sessionId }) =>
      access.mint({ sub: userId, eth: account, sid: sessionId }, after(parts.accessSeconds)),
    mintRefresh: async ({ userId, account, sessionId, tokenId }) => {
      const expiresAt = after(parts.refreshSeconds);
      return {
        expiresAt,
        token: await refresh.mint({ sub: userId, eth: account, sid: sessionId, jti: tokenId }, expiresAt),
      };
    },
    readAccess: async (token) => {
      const claims = await access.read(token);
      return claims && subjectOf(claims);
    },
    readRefresh: async (token) => {
      const claims = await refresh.read(token);
      return claims && { ...subjectOf(claims), tokenId: claims.jti };
    },
  };
}
