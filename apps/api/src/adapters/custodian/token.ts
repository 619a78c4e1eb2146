// The custodian's way of proving who asks: every request carries a token that is good for this request alone.
import { createHash, randomUUID, type KeyObject } from "node:crypto";
import { SignJWT } from "jose";

export type Question = {
  readonly method: "GET" | "POST";
  /** From /v1 on, with the query, exactly as it goes over the wire. */
  readonly path: string;
  /** Exactly as it goes over the wire; empty if there is none. */
  readonly body: string;
  readonly idempotencyKey?: string;
};

type Signer = { readonly apiKey: string; readonly privateKey: KeyObject };

/** What their own library gives a token; it is refused if it is good for longer. */
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
