// npm run examples: runs every story and every document against the running system, or against one that is started for them.
// `npm run examples -- docs [DOCUMENT …]` runs documents alone, `npm run examples -- STORY …` these stories alone.
import { spawn } from "node:child_process";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { portCount, portsFrom } from "../dev/ports.ts";
import { findRunningStack } from "../dev/stack-file.ts";
import { startStack } from "../dev/stack.ts";
import { chooseDocuments, tellDocument, type System, type Told } from "../docs/index.ts";
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

function tellStory(story: string, system: System): Promise<Told> {
  const child = spawn(process.execPath, [join(folder, story, "main.ts")], { env: environmentOf(system) });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  return new Promise((resolve) => {
    child.once("close", (code) => {
      const text = code === 0 ? story : `${story}\n${printed.trim().replaceAll(/^/gm, "    ")}`;
      resolve({ holds: code === 0, text });
    });
  });
}

type Telling = (system: System) => Promise<Told>;

/** Parses the command line. */
function choose(args: readonly string[]): readonly Telling[] {
  const asStory =
    (name: string): Telling =>
    (system) =>
      tellStory(name, system);
  const asDocument =
    (name: string): Telling =>
    (system) =>
      tellDocument(root, name, system);
  const [first, ...rest] = args;
  if (first === "docs") {
    const named = rest.map((name) => relative(root, resolve(root, name)));
    return chooseDocuments(root, named).map(asDocument);
  }
  const unknown = args.filter((name) => !isStory(name));
  if (unknown.length > 0) throw new Error(`No story is called ${unknown.join(", ")}`);
  if (args.length > 0) return args.map(asStory);
  const stories = readdirSync(folder).filter(isStory).sort();
  return [...stories.map(asStory), ...chooseDocuments(root, []).map(asDocument)];
}

/** Mostly they wait for blocks and verdicts, so a few of them are told at the same time. */
const atOnce = 3;

/** How many do not hold. */
async function tellAll(tellings: readonly Telling[], system: System): Promise<number> {
  const waiting = [...tellings];
  let failed = 0;
  const work = async (): Promise<void> => {
    for (let tell = waiting.shift(); tell !== undefined; tell = waiting.shift()) {
      const began = performance.now();
      const { holds, text } = await tell(system);
      console.log(`${holds ? "✓" : "✗"} ${((performance.now() - began) / 1000).toFixed(1)} s  ${text}`);
      if (!holds) failed++;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return failed;
}

async function onOwnStack(tellings: readonly Telling[]): Promise<number> {
  const dataDir = makeTempDir("examples");
  const stack = await startStack({
    dataDir,
    ports: portsFrom(String(await freePortRange(portCount))),
    fresh: false,
  });
  try {
    return await tellAll(tellings, { stackFile: join(dataDir, "stack.json"), urls: stack.urls });
  } finally {
    await stack.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const tellings = choose(process.argv.slice(2));
const stackFile = process.env["COUNTERSIGN_STACK"] ?? join(root, ".data/stack.json");
const running = findRunningStack(stackFile);
const failed =
  running === undefined
    ? await onOwnStack(tellings)
    : await tellAll(tellings, { stackFile, urls: running.urls });
console.log(failed === 0 ? "Everything holds." : `${failed} of them do not hold.`);
process.exitCode = failed === 0 ? 0 : 1;
