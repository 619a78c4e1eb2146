// The key of a development machine: a file that only its owner may read.
import { randomBytes } from "node:crypto";
import { link, mkdir, open, unlink, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { ConfigError } from "@countersign/platform/config";
import { newId } from "@countersign/platform/ids";
import { keyLength } from "./aes-gcm.ts";
import { aesKeyText } from "./key-encryption-key.ts";

const refuse = (problem: string): ConfigError => new ConfigError([`SECRETS_KEY_FILE: ${problem}`]);

const isErrno = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;

/** Asks the open file and not the path for its mode, so that nobody can exchange it between question and reading. */
async function findKey(path: string): Promise<Buffer | undefined> {
  const file = await open(path, "r").catch((error: unknown) => {
    if (isErrno(error, "ENOENT")) return undefined;
    throw error;
  });
  if (file === undefined) return undefined;
  try {
    const { mode } = await file.stat();
    if ((mode & 0o077) !== 0)
      throw refuse(
        `${path} has mode ${(mode & 0o777).toString(8)}, so others may have read it. Make a new key, or chmod 600`,
      );
    const text = (await file.readFile("utf8")).trim();
    if (!aesKeyText.test(text)) throw refuse(`${path} does not hold ${keyLength} bytes in base64`);
    return Buffer.from(text, "base64");
  } finally {
    await file.close();
  }
}

/** Linked into place when it is whole: of several processes that start at once one makes the key, and none reads half. */
async function makeKey(path: string): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${newId()}`;
  await writeFile(draft, `${randomBytes(keyLength).toString("base64")}\n`, {
    mode: 0o600,
    flag: "wx",
    flush: true,
  });
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (isErrno(error, "EEXIST")) return false;
    throw error;
  } finally {
    await unlink(draft);
  }
}

/** The key in the file, if there is one. */
export async function findKeyFile(path: string): Promise<Buffer | undefined> {
  try {
    return await findKey(path);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw refuse(`${path} cannot be read (${error instanceof Error ? error.message : "no reason given"})`);
  }
}

/** The key in the file, which is made if it is not there. */
export async function ensureKeyFile(
  path: string,
): Promise<{ readonly key: Buffer; readonly isNew: boolean }> {
  const found = await findKeyFile(path);
  if (found !== undefined) return { key: found, isNew: false };
  const isNew = await makeKey(path).catch((error: unknown) => {
    throw refuse(`${path} cannot be made (${error instanceof Error ? error.message : "no reason given"})`);
  });
  const made = await findKeyFile(path);
  if (made === undefined) throw refuse(`${path} was there and is gone`);
  return { key: made, isNew };
}
