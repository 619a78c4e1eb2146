// Where the sources are, if they are on this machine: the sandbox and a validator for one question are run from there.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** From the first of these folders upwards that is inside a checkout; undefined if none is. */
export function findCheckout(
  from: readonly string[] = [process.cwd(), dirname(fileURLToPath(import.meta.url))],
): string | undefined {
  for (const start of from) {
    let folder = start;
    for (;;) {
      if (isCheckout(folder)) return folder;
      const above = dirname(folder);
      if (above === folder) break;
      folder = above;
    }
  }
  return undefined;
}

/** By what is run from it, so that somebody's project of the same name is not taken for it. */
function isCheckout(folder: string): boolean {
  const needed = ["tools/dev/main.ts", "apps/validator/src/main.ts", "package.json"];
  if (!needed.every((path) => existsSync(join(folder, path)))) return false;
  try {
    const { workspaces } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
      readonly workspaces?: unknown;
    };
    return Array.isArray(workspaces);
  } catch {
    return false;
  }
}
