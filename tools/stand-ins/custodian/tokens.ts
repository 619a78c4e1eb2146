// Tokens signed with RSA and SHA-256, implemented with Node only, so that they do not share bugs with the library that our
// services use.
import { sign, verify, type KeyObject } from "node:crypto";

export type Claims = Readonly<Record<string, unknown>>;

const encode = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString("base64url");

export function signToken(claims: Claims, key: KeyObject): string {
  const signed = `${encode({ alg: "RS256", typ: "JWT" })}.${encode(claims)}`;
  return `${signed}.${sign("sha256", Buffer.from(signed), key).toString("base64url")}`;
}

/** Undefined if it is no token, or not signed with this key. Says nothing about when it was made. */
export function readToken(token: string, key: KeyObject): Claims | undefined {
  const [head = "", body = "", signature = "", ...rest] = token.split(".");
  const isRs256 = (decode(head) as { readonly alg?: unknown } | undefined)?.alg === "RS256";
  if (!isRs256 || rest.length > 0) return undefined;
  const signed = Buffer.from(`${head}.${body}`);
  if (!verify("sha256", signed, key, Buffer.from(signature, "base64url"))) return undefined;
  const claims = decode(body);
  return typeof claims === "object" && claims !== null ? (claims as Claims) : undefined;
}

function decode(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString("utf8")) as unknown;
  } catch {
    return undefined;
  }
}
