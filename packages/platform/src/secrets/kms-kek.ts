// Keys in a cloud's key service: the service encrypts and decrypts data keys, and the key never leaves it.
import { randomBytes } from "node:crypto";
import { ConfigError } from "../config/index.ts";
import { connectWrappingKey, KeyServiceError, type KmsKey, type KmsSettings } from "../kms/index.ts";
import { keyLength } from "./aes-gcm.ts";
import { SecretError } from "./errors.ts";
import type { KeyEncryptionKey } from "./key-encryption-key.ts";

function makeKmsKek(key: KmsKey): KeyEncryptionKey {
  return {
    id: key.name,
    wrap: (dataKey, aad) => key.encrypt(dataKey, aad),
    unwrap: async (wrapped, aad) => {
      try {
        const dataKey = await key.decrypt(wrapped, aad);
        if (dataKey.length === keyLength) return dataKey;
      } catch (error) {
        if (!(error instanceof KeyServiceError) || error.code !== "does-not-open") throw error;
      }
      throw new SecretError("does-not-open", `The key ${key.name} does not open this`);
    },
  };
}

async function checkRoundTrip({ wrap, unwrap }: KeyEncryptionKey): Promise<void> {
  const probe = randomBytes(keyLength);
  const aad = Buffer.from("probe");
  if (!(await unwrap(await wrap(probe, aad), aad)).equals(probe))
    throw new KeyServiceError("wrong-key", "a key changes what it wraps");
}

/** Returns the keys after one use of each, so that a missing permission shows at the start. */
export async function openKmsKeks(
  names: readonly string[],
  settings: KmsSettings,
): Promise<readonly KeyEncryptionKey[]> {
  const keks: KeyEncryptionKey[] = [];
  for (const name of names) {
    try {
      const kek = makeKmsKek(await connectWrappingKey(name, settings));
      await checkRoundTrip(kek);
      keks.push(kek);
    } catch (error) {
      if (error instanceof KeyServiceError || error instanceof SecretError)
        throw new ConfigError([`SECRETS_KMS_KEYS: ${error.message}`]);
      throw error;
    }
  }
  return keks;
}
