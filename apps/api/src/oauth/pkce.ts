import { createHash, timingSafeEqual } from "node:crypto";

/** A SHA-256 in base64url. */
export const isCodeChallenge = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text);

/** RFC 7636, 4.1. What is none cannot be a guess at one. */
export const isCodeVerifier = (text: string | undefined): text is string =>
  text !== undefined && /^[A-Za-z0-9\-._~]{43,128}$/.test(text);

/** RFC 7636, 4.6, by S256: the only method there is here. */
export function answersCodeChallenge(challenge: string, verifier: string): boolean {
  const expected = Buffer.from(challenge, "base64url");
  const given = createHash("sha256").update(verifier).digest();
  return expected.length === given.length && timingSafeEqual(expected, given);
}
