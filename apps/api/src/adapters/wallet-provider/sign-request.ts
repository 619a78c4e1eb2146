import { sign, type KeyObject } from "node:crypto";
import canonicalize from "canonicalize";

/** The values of a body. Numbers are integers; amounts are sent as text. */
export type Json =
  string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json | undefined };

export type SignedRequest = {
  readonly method: "POST" | "PATCH" | "DELETE";
  /** The whole URL without a trailing slash. */
  readonly url: string;
  readonly body: Json;
  /** Only those that begin with `privy-`, without the signature. */
  readonly headers: Readonly<Record<string, string>>;
};

/** The text that a quorum member signs: the whole request in its canonical form (RFC 8785). */
function textToSign({ method, url, body, headers }: SignedRequest): string {
  const text = canonicalize({ version: 1, method, url, body, headers });
  if (text === undefined) throw new TypeError("A request has no canonical form.");
  return text;
}

/** ECDSA over P-256 with SHA-256, in DER, as base64. */
export const signRequest = (request: SignedRequest, key: KeyObject): string =>
  sign("sha256", Buffer.from(textToSign(request), "utf8"), key).toString("base64");
