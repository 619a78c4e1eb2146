import { createHash, timingSafeEqual } from "node:crypto";

export const sha256 = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Whether this is the verifier of the challenge. RFC 7636, 4.6; S256 is the only supported method. */
export function answersS256(challenge: string, verifier: string): boolean {
  const expected = Buffer.from(challenge, "base64url");
  const given = sha256(verifier);
  return expected.length === given.length && timingSafeEqual(expected, given);
}
