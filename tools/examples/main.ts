// npm run examples: runs every story against the running system, or against one that is started for it.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { portCount, portsFrom } from "../dev/ports.ts";
import { findRunningStack } from "../dev/stack-file.ts";
import { startStack } from "../dev/stack.ts";
import { freePortRange } from "../engines/index.ts";
import { makeTempDir } from "../testing/temp-dir.ts";

const root = join(import.meta.dirname, "../..");
const folder = join(root, "examples");
const stories = readdirSync(folder)
  .filter((name) => existsSync(join(folder, name, "main.ts")))
  .sort();

function tell(stackFile: string): number {
  let failed = 0;
  for (const story of stories) {
    const env = { ...process.env, COUNTERSIGN_STACK: stackFile };
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, story, "main.ts")], {
      env,
      encoding: "utf8",
    });
    console.log(`${status === 0 ? "✓" : "✗"} ${story}`);
    if (status === 0) continue;
    failed++;
    console.log(`${stdout}${stderr}`.trim().replaceAll(/^/gm, "    "));
  }
  return failed;
}

async function tellOnOwnStack(): Promise<number> {
  const dataDir = makeTempDir("examples");
  const stack = await startStack({
    dataDir,
    ports: portsFrom(String(await freePortRange(portCount))),
    fresh: false,
  });
  try {
    return tell(join(dataDir, "stack.json"));
  } finally {
    await stack.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const running = join(root, ".data/stack.json");
const failed = findRunningStack(running) === undefined ? await tellOnOwnStack() : tell(running);
console.log(
  failed === 0
    ? `All ${stories.length} stories hold.`
    : `${failed} of ${stories.length} stories do not hold.`,
);
process.exitCode = failed === 0 ? 0 : 1;
