// Every commit message keeps to the convention, from the first commit of this clone on.
import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const [first = ""] = execFileSync("git", ["rev-list", "--max-parents=0", "HEAD"], {
  cwd: root,
  encoding: "utf8",
}).split("\n");
const { status } = spawnSync("commitlint", ["--from", first], { cwd: root, stdio: "inherit" });
process.exitCode = status ?? 1;
