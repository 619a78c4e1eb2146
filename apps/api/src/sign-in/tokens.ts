import { hash } from "node:crypto";
import { jwtVerify, SignJWT, type JWTPayload } from "jose";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import type { Clock } from "@countersign/platform/clock";
import type { Account } from "../accounts/index.ts";
import type { TokenKeys } from "./token-keys.ts";

/** Who a token speaks for, and the session it belongs to. */
type TokenSubject = { readonly userId: string; readonly account: Account; readonly sessionId: string };

type RefreshClaims = TokenSubject & { readonly tokenId: string };

export type Tokens = {
  readonly mintAccess: (subject: TokenSubject) => Promise<string>;
  readonly mintRefresh: (
    claims: RefreshClaims,
  ) => Promise<{ readonly token: string; readonly expiresAt: Date }>;
  /** Undefined for anything but a good access token of ours. */
  readonly readAccess: (token: string) => Promise<TokenSubject | undefined>;
  readonly readRefresh: (token: string) => Promise<RefreshClaims | undefined>;
};

type Parts = {
  /** Our own address: who issues, and whom the tokens are for. */
  readonly issuer: string;
  readonly keys: () => Promise<TokenKeys>;
  readonly clock: Clock;
  readonly accessSeconds: number;
  readonly refreshSeconds: number;
};

// Type and audience differ, so that no kind of token passes for another: not a refresh token as an access token, and not a
// token for MCP, which has another audience, at the REST endpoints.
const kinds = {
  access: { typ: "at+jwt", audience: (issuer: string) => issuer },
  refresh: { typ: "rt+jwt", audience: (issuer: string) => `${issuer}/auth/refresh` },
} as const;
type Kind = keyof typeof kinds;

const Claims = z.object({
  sub: z.uuid(),
  eth: z.templateLiteral(["0x", z.string()]),
  sid: z.uuid(),
  jti: z.uuid().optional(),
  exp: z.number(),
});
type Claims = z.infer<typeof Claims>;

const subjectOf = ({ sub, eth, sid }: Claims): TokenSubject => ({
  userId: sub,
  account: eth,
  sessionId: sid,
});

/** Reads a token of one kind: signed by one of our keys with the one algorithm we use, for us, in its time. */
async function verify(
  kind: Kind,
  token: string,
  { issuer, keys, clock }: Parts,
): Promise<Claims | undefined> {
  const { verifying } = await keys();
  try {
    const { payload } = await jwtVerify(
      token,
      ({ kid = "" }) => verifying.get(kid) ?? Promise.reject(new Error("unknown key")),
      {
        issuer,
        audience: kinds[kind].audience(issuer),
        typ: kinds[kind].typ,
        algorithms: ["ES256"],
        currentDate: clock.now(),
      },
    );
    return Claims.parse(payload);
  } catch {
    // Why it does not hold is nobody's business; that it does not is the answer.
    return undefined;
  }
}

/** Verifying a signature costs a hundred times what looking it up does, and a client shows the same token again and again. */
function makeMemory(clock: Clock) {
  const seen = new LRUCache<string, Claims>({ max: 50_000 });
  const nameOf = (token: string): string => hash("sha256", token, "base64");
  return {
    recall: (token: string): Claims | undefined => {
      const claims = seen.get(nameOf(token));
      return claims !== undefined && claims.exp * 1000 > clock.now().getTime() ? claims : undefined;
    },
    remember: (token: string, claims: Claims): void => void seen.set(nameOf(token), claims),
  };
}

export function makeTokens(parts: Parts): Tokens {
  const memory = makeMemory(parts.clock);
  const mint = async (kind: Kind, claims: JWTPayload, expiresAt: Date): Promise<string> => {
    const { signing } = await parts.keys();
    return new SignJWT(claims)
      .setProtectedHeader({ alg: "ES256", typ: kinds[kind].typ, kid: signing.kid })
      .setIssuer(parts.issuer)
      .setAudience(kinds[kind].audience(parts.issuer))
      .setIssuedAt(parts.clock.now())
      .setExpirationTime(expiresAt)
      .sign(signing.key);
  };
  const after = (seconds: number): Date => new Date(parts.clock.now().getTime() + seconds * 1000);
  return {
    mintAccess: ({ userId, account, sessionId }) =>
      mint("access", { sub: userId, eth: account, sid: sessionId }, after(parts.accessSeconds)),
    mintRefresh: async ({ userId, account, sessionId, tokenId }) => {
      const expiresAt = after(parts.refreshSeconds);
      return {
        expiresAt,
        token: await mint("refresh", { sub: userId, eth: account, sid: sessionId, jti: tokenId }, expiresAt),
      };
    },
    readAccess: async (token) => {
      const known = memory.recall(token);
      if (known !== undefined) return subjectOf(known);
      const claims = await verify("access", token, parts);
      if (claims === undefined) return undefined;
      memory.remember(token, claims);
      return subjectOf(claims);
    },
    readRefresh: async (token) => {
      const claims = await verify("refresh", token, parts);
      return claims?.jti === undefined ? undefined : { ...subjectOf(claims), tokenId: claims.jti };
    },
  };
}
