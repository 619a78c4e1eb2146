// The custodian's authentication: every request has a token that is valid for this request alone.
import { createHash, randomUUID, type KeyObject } from "node:crypto";
import { SignJWT } from "jose";

export type Question = {
  readonly method: "GET" | "POST";
  /** From /v1 on, with the query, exactly as on the wire. */
  readonly path: string;
  /** Exactly as on the wire. Empty for a request without a body. */
  readonly body: string;
  readonly idempotencyKey?: string;
};

type Signer = { readonly apiKey: string; readonly privateKey: KeyObject };

/** The same as in their library. A longer lifetime is rejected. */
const lifetimeS = 55;

export async function signToken(signer: Signer, { path, body }: Question, now: Date): Promise<string> {
  const issuedAt = Math.floor(now.getTime() / 1000);
  const bodyHash = createHash("sha256").update(body).digest("hex");
  return await new SignJWT({ uri: path, nonce: randomUUID(), bodyHash })
    .setProtectedHeader({ alg: "RS256", typ: "JWT" })
    .setSubject(signer.apiKey)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifetimeS)
    .sign(signer.privateKey);
}
