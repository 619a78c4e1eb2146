// Who may ask, and whether it is they who ask. As strict as the custodian itself: a client that passes here has signed right.
import { createHash, randomUUID, type KeyObject } from "node:crypto";
import { readPublicKey } from "./csr.ts";
import { readToken, type Claims } from "./tokens.ts";

export type User = { readonly apiKey: string; readonly vaults: ReadonlySet<string> };

type Admission = {
  /** PEM. */
  readonly csr: string;
  readonly apiKey?: string | undefined;
  readonly vaults: readonly string[];
};

type Request = {
  readonly path: string;
  readonly body: string;
  readonly apiKey: string;
  readonly authorization: string;
};

export type Users = {
  /** Gives the API key back. */
  readonly admit: (admission: Admission) => string;
  /** The user and what their token says, or why it is refused. */
  readonly authenticate: (request: Request) => { readonly user: User; readonly claims: Claims } | string;
};

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

export function makeUsers(now: () => number): Users {
  const users = new Map<string, User & { readonly publicKey: KeyObject }>();
  const nonces = new Set<string>();
  const faultOf = (claims: Claims, { apiKey, path, body }: Request): string | undefined => {
    const seconds = now() / 1000;
    const { iat, exp, nonce } = claims;
    if (claims["sub"] !== apiKey) return "the token is another user's";
    if (claims["uri"] !== path) return "the token is for another address";
    if (claims["bodyHash"] !== sha256(body)) return "the token is for another body";
    if (typeof iat !== "number" || typeof exp !== "number") return "the token has no time";
    if (exp <= seconds || iat > seconds + 30 || exp - iat > 60) return "the token is not of now";
    if (typeof nonce !== "string" || nonce === "") return "the token has no nonce";
    return nonces.has(`${apiKey} ${nonce}`) ? "the token was used before" : undefined;
  };
  return {
    admit: ({ csr, apiKey = randomUUID(), vaults }) => {
      users.set(apiKey, { apiKey, vaults: new Set(vaults), publicKey: readPublicKey(csr) });
      return apiKey;
    },
    authenticate: (request) => {
      const user = users.get(request.apiKey);
      if (user === undefined) return "no such API key";
      const token = /^Bearer (\S+)$/.exec(request.authorization)?.[1] ?? "";
      const claims = readToken(token, user.publicKey);
      if (claims === undefined) return "the token is not signed with this user's key";
      const fault = faultOf(claims, request);
      if (fault !== undefined) return fault;
      nonces.add(`${request.apiKey} ${String(claims["nonce"])}`);
      return { user, claims };
    },
  };
}
