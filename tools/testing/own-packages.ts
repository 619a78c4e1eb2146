// Folders outside the workspaces with packages of their own (docs/decisions/0013). CI installs them.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { isCi } from "./is-ci.ts";

const root = join(import.meta.dirname, "../..");

/** Returns the command that installs a folder's packages. */
export const installCommandOf = (folder: string): string => `npm ci --ignore-scripts --prefix ${folder}`;

/** Returns whether the packages of a folder, relative to the repository, are installed. */
export const isInstalled = (folder: string): boolean => existsSync(join(root, folder, "node_modules"));

/** Returns true, with a warning, where they are not installed. In CI they must be. */
export function mayDoWithout(folder: string, untested: string): boolean {
  if (isInstalled(folder) || isCi()) return false;
  console.warn(
    `\n*** SKIPPED: ${folder} is not installed, so ${untested} NOT tested here: ${installCommandOf(folder)} ***\n`,
  );
  return true;
}
