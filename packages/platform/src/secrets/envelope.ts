// A secret in its envelope: encrypted under a random key of its own, which is encrypted under a key-encryption key. Pure of
// storage: what is sealed here can lie anywhere.
import { randomBytes } from "node:crypto";
import { decrypt, encrypt, keyLength } from "./aes-gcm.ts";
import { SecretError } from "./errors.ts";
import type { Keks, KeyEncryptionKey } from "./key-encryption-key.ts";

export type Place = { readonly id: string; readonly purpose: string };
export type WrappedKey = { readonly kekId: string; readonly wrappedKey: Buffer };
export type SealedSecret = Place & WrappedKey & { readonly nonce: Buffer; readonly ciphertext: Buffer };

/**
 * The additional data of both ciphertexts, so that neither decrypts in another row, for another purpose, or in the other
 * column. JSON is unambiguous: purpose and id cannot run into each other.
 */
const bindTo = (column: "ciphertext" | "wrapped_key", { id, purpose }: Place): Buffer =>
  Buffer.from(JSON.stringify(["secrets", column, id, purpose]));

export async function sealSecret(
  kek: KeyEncryptionKey,
  { id, purpose, value }: Place & { readonly value: Buffer },
): Promise<SealedSecret> {
  const place = { id, purpose };
  const dataKey = randomBytes(keyLength);
  try {
    return {
      ...place,
      ...encrypt(dataKey, value, bindTo("ciphertext", place)),
      kekId: kek.id,
      wrappedKey: await kek.wrap(dataKey, bindTo("wrapped_key", place)),
    };
  } finally {
    dataKey.fill(0);
  }
}

/** Says which record it was, where the key or the cipher could only say that something does not fit. */
async function named<Result>(id: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof SecretError) || error.code !== "does-not-open") throw error;
    throw new SecretError(error.code, `Secret ${id} does not open. It, or its row, was changed`, error);
  }
}

async function unwrapDataKey(
  keks: Keks,
  { kekId, wrappedKey, ...place }: Place & WrappedKey,
): Promise<Buffer> {
  const kek = keks.find(({ id }) => id === kekId);
  if (kek === undefined)
    throw new SecretError(
      "unknown-kek",
      `Secret ${place.id} needs the key ${kekId}, which is not configured`,
    );
  return named(place.id, () => kek.unwrap(wrappedKey, bindTo("wrapped_key", place)));
}

export async function openSecret(keks: Keks, sealed: SealedSecret): Promise<Buffer> {
  const dataKey = await unwrapDataKey(keks, sealed);
  try {
    return await named(sealed.id, async () => decrypt(dataKey, sealed, bindTo("ciphertext", sealed)));
  } finally {
    dataKey.fill(0);
  }
}

/** The same data key under the first key-encryption key. The payload is neither needed nor touched. */
export async function rewrapDataKey(keks: Keks, wrapped: Place & WrappedKey): Promise<WrappedKey> {
  const [current] = keks;
  const dataKey = await unwrapDataKey(keks, wrapped);
  try {
    return { kekId: current.id, wrappedKey: await current.wrap(dataKey, bindTo("wrapped_key", wrapped)) };
  } finally {
    dataKey.fill(0);
  }
}
