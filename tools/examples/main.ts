// npm run examples: runs every story and every document against the running system, or against one that is started for them.
// `npm run examples -- docs [DOCUMENT …]` runs documents alone, `npm run examples -- STORY …` these stories alone.
import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { findRunningStack } from "../dev/stack-file.ts";
import { chooseDocuments, tellDocument, type System, type Told } from "../docs/index.ts";
import { mayDoWithout } from "../testing/own-packages.ts";
import { environmentOf, withOwnSystem } from "./own-system.ts";

const root = join(import.meta.dirname, "../..");
const folder = join(root, "examples");
const isStory = (name: string): boolean => existsSync(join(folder, name, "main.ts"));

/** Returns false for a story with packages of its own that are not installed. */
const isRunnable = (name: string): boolean =>
  !existsSync(join(folder, name, "package.json")) || !mayDoWithout(`examples/${name}`, "that example is");

function tellStory(story: string, system: System): Promise<Told> {
  const child = spawn(process.execPath, [join(folder, story, "main.ts")], {
    env: { ...process.env, ...environmentOf(system) },
  });
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
  const stories = readdirSync(folder).filter(isStory).filter(isRunnable).sort();
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

const tellings = choose(process.argv.slice(2));
const stackFile = process.env["COUNTERSIGN_STACK"] ?? join(root, ".data/stack.json");
const running = findRunningStack(stackFile);
const failed =
  running === undefined
    ? await withOwnSystem((system) => tellAll(tellings, system))
    : await tellAll(tellings, { stackFile, urls: running.urls });
console.log(failed === 0 ? "Everything holds." : `${failed} of them do not hold.`);
process.exitCode = failed === 0 ? 0 : 1;
