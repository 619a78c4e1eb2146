// Verifies the sender of a push message: RFC 8292 (VAPID).
import { createPublicKey, verify } from "node:crypto";

const longestSeconds = 24 * 60 * 60;

type Claims = { readonly aud?: unknown; readonly exp?: unknown; readonly sub?: unknown };

const publicKeyOf = (raw: Buffer) =>
  createPublicKey({
    format: "jwk",
    key: {
      ...{ kty: "EC", crv: "P-256" },
      ...{ x: raw.subarray(1, 33).toString("base64url"), y: raw.subarray(33).toString("base64url") },
    },
  });

function problemOfClaims({ aud, exp, sub }: Claims, origin: string): string | undefined {
  const now = Date.now() / 1000;
  if (aud !== origin) return "another audience";
  if (typeof exp !== "number" || exp < now || exp > now + longestSeconds) return "not valid now";
  return typeof sub === "string" && /^(?:mailto|https):/.test(sub) ? undefined : "no contact";
}

/** Returns why a push service refuses the header, or undefined. */
export function problemOfVapid(
  header: string | undefined,
  { origin, publicKey }: { readonly origin: string; readonly publicKey: string },
): string | undefined {
  const [, token = "", key = ""] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(header ?? "") ?? [];
  if (key === "") return "no VAPID header";
  if (key !== publicKey) return "another key than that of the subscription";
  const [head = "", claims = "", signature = ""] = token.split(".");
  const isSigned = verify(
    "sha256",
    Buffer.from(`${head}.${claims}`),
    { key: publicKeyOf(Buffer.from(key, "base64url")), dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  if (!isSigned) return "not signed with that key";
  return problemOfClaims(JSON.parse(Buffer.from(claims, "base64url").toString("utf8")) as Claims, origin);
}
