// Checks the types of bench/, which has its own packages (docs/decisions/0013). Without them it only says so, except in CI.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

if (existsSync(join(root, "bench/node_modules"))) {
  const { status } = spawnSync("tsc", ["-p", "bench/tsconfig.json"], { cwd: root, stdio: "inherit" });
  process.exitCode = status ?? 1;
} else {
  const install = "npm ci --ignore-scripts --prefix bench";
  console.error(`Types of bench/ not checked: its packages are not installed. Run \`${install}\`.`);
  process.exitCode = process.env["CI"] === "true" ? 1 : 0;
}
