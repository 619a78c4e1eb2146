import { sign, type KeyObject } from "node:crypto";
import canonicalize from "canonicalize";

/** What a body may be made of. Numbers are whole: amounts travel as text. */
export type Json =
  string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json | undefined };

export type SignedRequest = {
  readonly method: "POST" | "PATCH" | "DELETE";
  /** The whole address, without a slash at its end. */
  readonly url: string;
  readonly body: Json;
  /** Theirs only: those that begin with `privy-`, without the signature. */
  readonly headers: Readonly<Record<string, string>>;
};

/** What a quorum's member signs: everything that the request can do, in the one text of it (RFC 8785). */
function textToSign({ method, url, body, headers }: SignedRequest): string {
  const text = canonicalize({ version: 1, method, url, body, headers });
  if (text === undefined) throw new TypeError("A request has no canonical form.");
  return text;
}

/** ECDSA over P-256 with SHA-256, in DER, as base64. */
export const signRequest = (request: SignedRequest, key: KeyObject): string =>
  sign("sha256", Buffer.from(textToSign(request), "utf8"), key).toString("base64");
