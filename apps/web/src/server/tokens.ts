import { z } from "zod";

export const TokenPair = z.object({ accessToken: z.string(), refreshToken: z.string() });
export type TokenPair = Readonly<z.infer<typeof TokenPair>>;

const Claims = z.object({ exp: z.number() });

/** Returns a token's expiry in milliseconds. Not verified: it only avoids requests with an expired token. */
export function expiryOf(token: string): number | undefined {
  try {
    const [, payload = ""] = token.split(".");
    const claims: unknown = JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
    return Claims.parse(claims).exp * 1000;
  } catch {
    return undefined;
  }
}
