// The reference of the SDK on the site: TypeDoc writes it from the doc comments, also those of types that only a signature mentions.
import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** From the root of the site on. Documents link to it although it is no file of the repository. */
export const sdkReference = "docs/reference/sdk/index.html";

/** Writes the reference to a folder. Throws if TypeDoc warns, as in `npm run check -- sdk`. */
export function buildSdkReference(root: string, target: string): void {
  const options = ["--options", "packages/sdk/typedoc.json", "--disableSources", "--readme", "none"];
  const output = ["--emit", "docs", "--out", target, "--name", "@countersign/sdk", "--hideGenerator"];
  const typedoc = join(root, "node_modules/typedoc/bin/typedoc");
  execFileSync(process.execPath, [typedoc, "--logLevel", "Warn", ...options, ...output], {
    cwd: root,
    stdio: "inherit",
  });
}
