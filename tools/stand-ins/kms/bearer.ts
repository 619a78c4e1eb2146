// Verifies a token that a service account signed for itself, as Google's services do.
import { createPublicKey, verify, type KeyObject } from "node:crypto";
import { z } from "zod";

const Claims = z.looseObject({
  iss: z.string(),
  sub: z.string(),
  iat: z.number(),
  exp: z.number(),
  aud: z.string().optional(),
  scope: z.string().optional(),
});
const scopes = ["https://www.googleapis.com/auth/cloud-platform", "https://www.googleapis.com/auth/cloudkms"];

export type ServiceAccount = { readonly email: string; readonly publicKey: KeyObject };

const read = (part: string): unknown => JSON.parse(Buffer.from(part, "base64url").toString());

/** Returns the claims of a token that this key signed. */
function claimsIn(header: string | undefined, publicKey: KeyObject): z.output<typeof Claims> | undefined {
  const [head = "", body = "", signature = ""] = /^Bearer (.+)$/.exec(header ?? "")?.[1]?.split(".") ?? [];
  if (head === "" || (read(head) as { alg?: string }).alg !== "RS256") return undefined;
  const isSigned = verify(
    "sha256",
    Buffer.from(`${head}.${body}`),
    publicKey,
    Buffer.from(signature, "base64url"),
  );
  return isSigned ? Claims.parse(read(body)) : undefined;
}

/** Returns whether the header has a current token of this account, for this service. */
export function isAuthorized(header: string | undefined, { email, publicKey }: ServiceAccount): boolean {
  const claims = claimsIn(header, publicKey);
  if (claims?.iss !== email || claims.sub !== email) return false;
  const { iat, exp, aud, scope = "" } = claims;
  const now = Date.now() / 1000;
  const isForUs =
    aud === "https://cloudkms.googleapis.com/" || scopes.some((one) => scope.split(" ").includes(one));
  return isForUs && iat <= now + 300 && exp > now && exp - iat <= 3600;
}

/** Makes the public key from the account's private key, so that a test has one file. */
export const accountOf = (file: {
  readonly client_email: string;
  readonly private_key: string;
}): ServiceAccount => ({
  email: file.client_email,
  publicKey: createPublicKey(file.private_key),
});
