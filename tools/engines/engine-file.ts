import { findPackageJSON } from "node:module";
import { dirname, join } from "node:path";

/** A file of an engine's npm package. Each of these packages holds programs for one kind of machine. */
export function engineFile(packageName: string, file: string): string {
  if (process.platform !== "linux" || process.arch !== "x64")
    throw new Error(
      `The engines are installed for linux-x64 only, and this is ${process.platform}-${process.arch}. ` +
        "Use a Linux x64 machine or such a container.",
    );
  return join(dirname(findPackage(packageName)), file);
}

function findPackage(name: string): string {
  const advice = `The npm package ${name} is not installed. Run npm ci, without --omit=optional.`;
  try {
    const found = findPackageJSON(name, import.meta.url);
    if (found !== undefined) return found;
  } catch (error) {
    throw new Error(advice, { cause: error });
  }
  throw new Error(advice);
}
