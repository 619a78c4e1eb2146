import { createPublicKey, type KeyObject } from "node:crypto";

/** Exactly one block labelled as a public key, with nothing before or after it. */
const block = /^\s*-----BEGIN PUBLIC KEY-----\s+([A-Za-z0-9+/=\s]+?)\s*-----END PUBLIC KEY-----\s*$/;

/** Far more than a P-256 key takes, however its lines are broken. */
export const longestPem = 2000;

/**
 * Reads a PEM (SPKI) that contains exactly one P-256 point. The library checks that the point is on the
 * curve; this function checks that nothing follows the key. Rejects a private key, although its public key
 * could be derived.
 */
export function readP256Key(pem: string): KeyObject | undefined {
  const base64 = pem.length > longestPem ? undefined : block.exec(pem)?.[1]?.replace(/\s/g, "");
  if (base64 === undefined) return undefined;
  const der = Buffer.from(base64, "base64");
  if (der.toString("base64") !== base64) return undefined;
  try {
    const key = createPublicKey({ key: der, format: "der", type: "spki" });
    if (key.asymmetricKeyType !== "ec" || key.asymmetricKeyDetails?.namedCurve !== "prime256v1")
      return undefined;
    return key.export({ type: "spki", format: "der" }).equals(der) ? uncompressed(key) : undefined;
  } catch {
    // Malformed, or of another curve. Callers do not need to know which.
    return undefined;
  }
}

/** A point has two encodings. Encoding its coordinates again gives one. */
const uncompressed = (key: KeyObject): KeyObject =>
  createPublicKey({ key: key.export({ format: "jwk" }), format: "jwk" });

/** Returns the canonical text of a key. */
export const pemOf = (key: KeyObject): string => key.export({ type: "spki", format: "pem" }).toString();
