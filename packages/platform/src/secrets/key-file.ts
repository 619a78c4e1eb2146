// The key of a development machine: a file that only its owner may read.
import { randomBytes } from "node:crypto";
import { keyLength } from "./aes-gcm.ts";
import { aesKeyText } from "./key-encryption-key.ts";
import { findPrivateFile, makePrivateFile, refuseFile, type PrivateFile } from "./private-file.ts";

const fileAt = (path: string): PrivateFile => ({ path, setting: "SECRETS_KEY_FILE" });

/** The key in the file, if there is one. */
export async function findKeyFile(path: string): Promise<Buffer | undefined> {
  const text = (await findPrivateFile(fileAt(path)))?.trim();
  if (text === undefined) return undefined;
  if (!aesKeyText.test(text))
    throw refuseFile(fileAt(path), `${path} does not hold ${keyLength} bytes in base64`);
  return Buffer.from(text, "base64");
}

/** The key in the file, which is made if it is not there. */
export async function ensureKeyFile(
  path: string,
): Promise<{ readonly key: Buffer; readonly isNew: boolean }> {
  const found = await findKeyFile(path);
  if (found !== undefined) return { key: found, isNew: false };
  const isNew = await makePrivateFile(fileAt(path), `${randomBytes(keyLength).toString("base64")}\n`);
  const made = await findKeyFile(path);
  if (made === undefined) throw refuseFile(fileAt(path), `${path} was there and is gone`);
  return { key: made, isNew };
}
