import { createPublicKey, type KeyObject } from "node:crypto";
import { z } from "zod";

// Exactly one block. The key parser would also accept a private key, which must not be stored here.
const block = /^-----BEGIN PUBLIC KEY-----([A-Za-z0-9+/=\s]+)-----END PUBLIC KEY-----$/;

function readKey(pem: string): KeyObject | undefined {
  const base64 = block.exec(pem.trim())?.[1];
  if (base64 === undefined) return undefined;
  try {
    return createPublicKey({ key: Buffer.from(base64, "base64"), format: "der", type: "spki" });
  } catch {
    return undefined;
  }
}

/** Strong enough to trust, and small enough to verify cheaply. */
const isFit = ({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): boolean => {
  const { modulusLength = 0, publicExponent = 0n } = details ?? {};
  return type === "rsa" && modulusLength >= 2048 && modulusLength <= 8192 && publicExponent >= 65_537n;
};

/** The key that the custodian's co-signer signs its requests with. Re-encoded, so that equal keys are equal texts. */
export const CosignerKey = z
  .string()
  .max(4096)
  .transform((pem, context) => {
    const key = readKey(pem);
    if (key !== undefined && isFit(key)) return key.export({ format: "pem", type: "spki" }).toString();
    context.addIssue({
      code: "custom",
      message: "must be an RSA public key of at least 2048 bits, SPKI in PEM",
    });
    return z.NEVER;
  })
  .meta({ description: "RSA public key of at least 2048 bits, SPKI in PEM" });
