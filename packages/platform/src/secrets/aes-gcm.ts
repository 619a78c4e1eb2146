import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { SecretError } from "./errors.ts";

const algorithm = "aes-256-gcm";
export const keyLength = 32;
export const nonceLength = 12;
export const tagLength = 16;

/** The ciphertext carries its tag as its last bytes. */
export type Encrypted = { readonly nonce: Buffer; readonly ciphertext: Buffer };

export function encrypt(key: Buffer, plaintext: Buffer, aad: Buffer): Encrypted {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagLength }).setAAD(aad);
  return {
    nonce,
    ciphertext: Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]),
  };
}

export function decrypt(key: Buffer, { nonce, ciphertext }: Encrypted, aad: Buffer): Buffer {
  try {
    const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagLength })
      .setAAD(aad)
      .setAuthTag(ciphertext.subarray(-tagLength));
    return Buffer.concat([decipher.update(ciphertext.subarray(0, -tagLength)), decipher.final()]);
  } catch (error) {
    throw new SecretError(
      "does-not-open",
      "The ciphertext is not what this key encrypted for this place",
      error,
    );
  }
}
