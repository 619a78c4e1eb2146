import { hash } from "node:crypto";
import { jwtVerify, SignJWT, type JWTPayload } from "jose";
import { LRUCache } from "lru-cache";
import type { z } from "zod";
import type { Clock } from "@countersign/platform/clock";
import type { TokenKeys } from "./token-keys.ts";

/** One kind of token. Type and audience differ between kinds, so that one cannot be used as another. */
type Kind<C extends { readonly exp: number }> = {
  readonly typ: "at+jwt" | "rt+jwt";
  readonly audience: string;
  readonly Claims: z.ZodType<C>;
  /** Whether clients present the same token repeatedly, so that caching it pays. */
  readonly isShownOften: boolean;
};

export type TokenSigning = {
  /** Our own base URL. */
  readonly issuer: string;
  readonly keys: () => Promise<TokenKeys>;
  readonly clock: Clock;
};

export type SignedTokens<C> = {
  readonly mint: (claims: JWTPayload, expiresAt: Date) => Promise<string>;
  /** Returns undefined for anything but a valid token of ours of this kind. */
  readonly read: (token: string) => Promise<C | undefined>;
};

/** Verifying a signature costs a hundred times as much as a cache lookup. */
function makeMemory<C extends { readonly exp: number }>(clock: Clock) {
  const seen = new LRUCache<string, C>({ max: 50_000 });
  const nameOf = (token: string): string => hash("sha256", token, "base64");
  return {
    recall: (token: string): C | undefined => {
      const claims = seen.get(nameOf(token));
      return claims !== undefined && claims.exp * 1000 > clock.now().getTime() ? claims : undefined;
    },
    remember: (token: string, claims: C): void => void seen.set(nameOf(token), claims),
  };
}

/**
 * Tokens of one kind: signed by one of our keys with the one algorithm we use, for one audience, within their
 * lifetime.
 */
export function makeSignedTokens<C extends { readonly exp: number }>(
  { issuer, keys, clock }: TokenSigning,
  { typ, audience, Claims, isShownOften }: Kind<C>,
): SignedTokens<C> {
  const memory = makeMemory<C>(clock);
  const verify = async (token: string): Promise<C | undefined> => {
    const { verifying } = await keys();
    try {
      const { payload } = await jwtVerify(
        token,
        ({ kid = "" }) => verifying.get(kid) ?? Promise.reject(new Error("unknown key")),
        { issuer, audience, typ, algorithms: ["ES256"], currentDate: clock.now() },
      );
      return Claims.parse(payload);
    } catch {
      // The caller does not need to know why it is invalid.
      return undefined;
    }
  };
  return {
    mint: async (claims, expiresAt) => {
      // Before the keys are awaited: the caller computed `expiresAt` from the same moment.
      const issuedAt = clock.now();
      const { signing } = await keys();
      return new SignJWT(claims)
        .setProtectedHeader({ alg: "ES256", typ, kid: signing.kid })
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .sign(signing.key);
    },
    read: async (token) => {
      if (!isShownOften) return verify(token);
      const known = memory.recall(token);
      if (known !== undefined) return known;
      const claims = await verify(token);
      if (claims !== undefined) memory.remember(token, claims);
      return claims;
    },
  };
}
