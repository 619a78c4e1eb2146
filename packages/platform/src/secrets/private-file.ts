// A file that only its owner may read: where a development machine keeps what must stay secret.
import { link, mkdir, open, unlink, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { ConfigError } from "../config/index.ts";
import { newId } from "../ids.ts";

/** The file and its setting, so that an error can name the setting to fix. */
export type PrivateFile = { readonly path: string; readonly setting: string };

export const refuseFile = ({ setting }: PrivateFile, problem: string): ConfigError =>
  new ConfigError([`${setting}: ${problem}`]);

const isErrno = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : "no reason given");

/** Checks the mode of the open file, not of the path, so that the file cannot be exchanged in between. */
async function readIfPrivate(file: PrivateFile): Promise<string | undefined> {
  const opened = await open(file.path, "r").catch((error: unknown) => {
    if (isErrno(error, "ENOENT")) return undefined;
    throw error;
  });
  if (opened === undefined) return undefined;
  try {
    const { mode } = await opened.stat();
    if ((mode & 0o077) !== 0)
      throw refuseFile(
        file,
        `${file.path} has mode ${(mode & 0o777).toString(8)}, so others may have read it. Make a new key, or chmod 600`,
      );
    return await opened.readFile("utf8");
  } finally {
    await opened.close();
  }
}

/** Returns the content, or undefined if there is no file. Throws if other users may read it. */
export async function findPrivateFile(file: PrivateFile): Promise<string | undefined> {
  try {
    return await readIfPrivate(file);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw refuseFile(file, `${file.path} cannot be read (${reasonOf(error)})`);
  }
}

/** Linked into place when it is whole: of several processes that start at once one makes the file, and none reads half. */
async function linkIntoPlace(path: string, text: string): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${newId()}`;
  await writeFile(draft, text, { mode: 0o600, flag: "wx", flush: true });
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

/** Whether it was made here; a file that is there already stays as it is. */
export async function makePrivateFile(file: PrivateFile, text: string): Promise<boolean> {
  try {
    return await linkIntoPlace(file.path, text);
  } catch (error) {
    throw refuseFile(file, `${file.path} cannot be made (${reasonOf(error)})`);
  }
}
