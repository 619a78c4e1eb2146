// Finds the repository checkout, from which the sandbox and a local validator run.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Returns the first checkout above one of these folders, or undefined. */
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

/** Checks for the files that we run, so that another project of the same name does not match. */
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
