// Checks the types of a folder that has its own packages (docs/decisions/0013): `node tools/check/own-packages.ts FOLDER`. Without
// them it only says so, except in CI.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { isCi } from "../testing/is-ci.ts";
import { installCommandOf, isInstalled } from "../testing/own-packages.ts";

const [folder = ""] = process.argv.slice(2);

if (isInstalled(folder)) {
  const root = join(import.meta.dirname, "../..");
  const { status } = spawnSync("tsc", ["-p", `${folder}/tsconfig.json`], { cwd: root, stdio: "inherit" });
  process.exitCode = status ?? 1;
} else {
  console.error(
    `Types of ${folder}/ not checked: its packages are not installed. Run \`${installCommandOf(folder)}\`.`,
  );
  process.exitCode = isCi() ? 1 : 0;
}
