// npm run examples: runs every story and every document against the running system, or against one that is started for them.
// `npm run examples -- docs [DOCUMENT …]` runs documents alone, `npm run examples -- STORY …` these stories alone.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { portCount, portsFrom } from "../dev/ports.ts";
import { findRunningStack } from "../dev/stack-file.ts";
import { startStack } from "../dev/stack.ts";
import { runDocuments, type System } from "../docs/index.ts";
import { freePortRange } from "../engines/index.ts";
import { makeTempDir } from "../testing/temp-dir.ts";

const root = join(import.meta.dirname, "../..");
const folder = join(root, "examples");
const isStory = (name: string): boolean => existsSync(join(folder, name, "main.ts"));

/** Where everything is, as a story that was copied out of here is told it. */
function environmentOf({ stackFile, urls }: System): NodeJS.ProcessEnv {
  const { inbox, serviceRegistry } = findRunningStack(stackFile)?.contracts ?? {};
  return {
    ...process.env,
    COUNTERSIGN_STACK: stackFile,
    COUNTERSIGN_URL: urls.api,
    COUNTERSIGN_VALIDATOR_URL: urls.validator,
    COUNTERSIGN_RPC_URL: urls.anvil,
    COUNTERSIGN_CUSTODIAN_URL: urls.custodian,
    COUNTERSIGN_INBOX: inbox,
    COUNTERSIGN_SERVICE_REGISTRY: serviceRegistry,
  };
}

/** How many do not hold. */
function tellStories(stories: readonly string[], system: System): number {
  const env = environmentOf(system);
  let failed = 0;
  for (const story of stories) {
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

/** What the command line asks for. */
function choose(args: readonly string[]): (system: System) => number {
  const [first, ...rest] = args;
  if (first === "docs") {
    const documents = rest.map((name) => relative(root, resolve(root, name)));
    return (system) => runDocuments(root, system, documents);
  }
  const unknown = args.filter((name) => !isStory(name));
  if (unknown.length > 0) throw new Error(`No story is called ${unknown.join(", ")}`);
  if (args.length > 0) return (system) => tellStories(args, system);
  const stories = readdirSync(folder).filter(isStory).sort();
  return (system) => tellStories(stories, system) + runDocuments(root, system);
}

async function onOwnStack(tell: (system: System) => number): Promise<number> {
  const dataDir = makeTempDir("examples");
  const stack = await startStack({
    dataDir,
    ports: portsFrom(String(await freePortRange(portCount))),
    fresh: false,
  });
  try {
    return tell({ stackFile: join(dataDir, "stack.json"), urls: stack.urls });
  } finally {
    await stack.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const tell = choose(process.argv.slice(2));
const stackFile = process.env["COUNTERSIGN_STACK"] ?? join(root, ".data/stack.json");
const running = findRunningStack(stackFile);
const failed = running === undefined ? await onOwnStack(tell) : tell({ stackFile, urls: running.urls });
console.log(failed === 0 ? "Everything holds." : `${failed} of them do not hold.`);
process.exitCode = failed === 0 ? 0 : 1;
