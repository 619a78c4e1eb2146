// Reads a secret file, and rejects one that others can read.
import { open } from "node:fs/promises";
import { usageError } from "../errors.ts";

/** Larger files cannot be keys. */
const mostBytes = 4_096;

export async function readSecretFile(path: string): Promise<string> {
  const file = await open(path, "r").catch(() => {
    throw usageError(`Can't read ${path}.`);
  });
  try {
    // Checks the open file, not the path, to avoid a race.
    const { mode, size } = await file.stat();
    if ((mode & 0o077) !== 0 && process.platform !== "win32")
      throw usageError(`Others can read ${path}, so it wasn't used.`, `chmod 600 ${path}`);
    if (size > mostBytes) throw usageError(`${path} is too large for a key.`);
    return (await file.readFile("utf8")).trim();
  } finally {
    await file.close();
  }
}
