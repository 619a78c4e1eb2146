import { createPublicKey, type KeyObject } from "node:crypto";

/** One block that says of itself that it is a public key, and nothing before or after it. */
const block = /^\s*-----BEGIN PUBLIC KEY-----\s+([A-Za-z0-9+/=\s]+?)\s*-----END PUBLIC KEY-----\s*$/;

/** Far more than a P-256 key takes, however its lines are broken. */
export const longestPem = 2000;

/**
 * The key in a PEM (SPKI), if it is one point of P-256 and nothing else. That the point is on the curve is checked by the
 * library; that nothing comes after the key is checked here. A private key is none, though its public half could be had.
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
    // It is not a key, or not one of a curve we asked for. Which of them nobody needs to know.
    return undefined;
  }
}

/** A point may be written in two ways. Read from its coordinates it has one. */
const uncompressed = (key: KeyObject): KeyObject =>
  createPublicKey({ key: key.export({ format: "jwk" }), format: "jwk" });

/** One key, one text. */
export const pemOf = (key: KeyObject): string => key.export({ type: "spki", format: "pem" }).toString();
