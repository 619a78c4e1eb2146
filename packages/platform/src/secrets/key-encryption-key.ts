import { createHmac } from "node:crypto";
import { decrypt, encrypt, keyLength, nonceLength, tagLength, type Encrypted } from "./aes-gcm.ts";
import { SecretError } from "./errors.ts";

/**
 * Encrypts the data keys of records. The result of `wrap` can be unwrapped only with the same key and additional data;
 * otherwise `unwrap` throws a SecretError. The id is stored with every record and must never change.
 */
export type KeyEncryptionKey = {
  readonly id: string;
  readonly wrap: (dataKey: Buffer, aad: Buffer) => Promise<Buffer>;
  readonly unwrap: (wrapped: Buffer, aad: Buffer) => Promise<Buffer>;
};

/** The first encrypts, all decrypt. */
export type Keks = readonly [KeyEncryptionKey, ...KeyEncryptionKey[]];

/** 32 bytes in base64, in the one way to write them: the last letter carries no stray bits. */
export const aesKeyText = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;

/**
 * A wrapped key is one piece: the nonce, then the ciphertext with its tag. Only one length is right, and it is checked here
 * because not every token does: SoftHSM takes a ciphertext too short for a tag, and answers with nothing instead of an error.
 */
export function splitWrapped(wrapped: Buffer): Encrypted {
  if (wrapped.length !== nonceLength + keyLength + tagLength)
    throw new SecretError("does-not-open", `A wrapped key does not have ${wrapped.length} bytes`);
  return { nonce: wrapped.subarray(0, nonceLength), ciphertext: wrapped.subarray(nonceLength) };
}

/**
 * A key that lies in this process's memory, wherever it came from. Its id is made from the key itself, so that it is
 * recognised when it moves from a file to a setting or becomes a previous key.
 */
export function makeLocalKek(key: Buffer): KeyEncryptionKey {
  if (key.length !== keyLength) throw new Error(`a key-encryption key has ${keyLength} bytes`);
  return {
    id: `aes-${createHmac("sha256", key).update("countersign key id").digest("hex").slice(0, 16)}`,
    wrap: async (dataKey, aad) => {
      const { nonce, ciphertext } = encrypt(key, dataKey, aad);
      return Buffer.concat([nonce, ciphertext]);
    },
    unwrap: async (wrapped, aad) => decrypt(key, splitWrapped(wrapped), aad),
  };
}
