/** Writes a file of the operator's folder so that a reader sees the old one or the new one, also after a crash. */
import { randomBytes } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { ListRefused } from "./refused.ts";

export async function writeAtomically(path: string, content: string): Promise<void> {
  // Not .json: the service does not read it.
  const draft = `${path}.${randomBytes(6).toString("hex")}.draft`;
  try {
    await using file = await open(draft, "wx", 0o644);
    await file.writeFile(content);
    await file.sync();
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    throw new ListRefused(`${path} cannot be written: ${code}`);
  }
}
