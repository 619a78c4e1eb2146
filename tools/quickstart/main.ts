// npm run quickstart: does what a newcomer does, in a fresh clone with an empty home and an empty npm cache, times it, and
// writes what was seen into the guide.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { portCount, portsFrom } from "../dev/ports.ts";
import { urlsOf } from "../dev/parts.ts";
import { translationTo } from "../docs/addresses.ts";
import { freePortRange } from "../engines/index.ts";
import { makeTempDir } from "../testing/temp-dir.ts";
import { makeNewcomer, versionOf, type Ran } from "./newcomer.ts";
import { makeOrigin } from "./origin.ts";
import { findProcessesOf } from "./processes.ts";
import { putTranscript, renderTranscript, type Act } from "./transcript.ts";

const root = join(import.meta.dirname, "../..");
const guide = join(root, "docs/guides/quickstart.md");
/** The measured goal: the first PASS and the first explained REJECT. */
const promisedMs = 300_000;

const usage = `npm run quickstart -- [--from DIR] [--no-write]

  --from DIR    the files in DIR as they are now, instead of what is committed here
  --no-write    leave the guide as it is`;

const { values } = parseArgs({
  options: {
    from: { type: "string" },
    "no-write": { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});
if (values.help) {
  console.log(usage);
  process.exit(0);
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** When a line appeared that holds this; throws what was printed if none did. */
function momentOf({ lines }: Ran, text: string): number {
  const found = lines.find(({ line }) => line.includes(text));
  if (found === undefined)
    throw new Error(`The output does not contain "${text}":\n${lines.map(({ line }) => line).join("\n")}`);
  return found.ms;
}

async function follow(folder: string): Promise<readonly Act[]> {
  const origin = makeOrigin(folder, values.from === undefined ? undefined : resolve(values.from), root);
  const newcomer = makeNewcomer(folder);
  const ports = String(await freePortRange(portCount));
  const { toDocument } = translationTo(urlsOf(portsFrom(ports)));
  const actOf = ({ lines, ms }: Ran, shown: string, milestones: Act["milestones"] = []): Act => ({
    ...{ shown, ms, milestones },
    lines: lines.map(({ line }) => toDocument(line).replaceAll(newcomer.home, "/home/you")),
  });

  const clone = await newcomer.run(`git clone ${origin} countersign`, folder);
  const checkout = join(folder, "countersign");
  const install = await newcomer.run("npm ci --ignore-scripts", checkout);
  const sandbox = await newcomer.run(`npx countersign sandbox --demo --ports ${ports}`, checkout, {
    interruptAt: "Running. Press Ctrl-C to stop.",
  });
  return [
    actOf(clone, "git clone THIS_REPOSITORY countersign && cd countersign"),
    actOf(install, "npm ci --ignore-scripts"),
    actOf(sandbox, "npx countersign sandbox --demo", [
      ["first PASS", momentOf(sandbox, "✓ PASS.")],
      ["first REJECT, explained", momentOf(sandbox, "intent_alignment.recipient_match")],
    ]),
  ];
}

function checkNothingIsLeft(folder: string): void {
  const left = findProcessesOf(folder);
  if (left.length > 0) throw new Error(`Still running after Ctrl-C:\n${left.join("\n")}`);
}

/** Until the last expected line, not until Ctrl-C. */
function totalOf(acts: readonly Act[]): number {
  return acts.reduce((sum, { ms, milestones }) => sum + (milestones.at(-1)?.[1] ?? ms), 0);
}

async function main(): Promise<void> {
  const folder = makeTempDir("quickstart");
  try {
    const acts = await follow(folder);
    checkNothingIsLeft(folder);
    const totalMs = totalOf(acts);
    for (const { shown, ms, milestones } of acts) {
      console.log(`${seconds(ms).padStart(8)}  ${shown}`);
      for (const [name, at] of milestones) console.log(`${seconds(at).padStart(12)}  ${name}`);
    }
    console.log(`${seconds(totalMs).padStart(8)}  from the first command to the explained REJECT`);
    if (totalMs > promisedMs) throw new Error(`That is more than ${seconds(promisedMs)}.`);
    if (values["no-write"]) return;
    const transcript = renderTranscript({
      ...{ acts, totalMs, date: new Date(), cores: availableParallelism() },
      ...{ node: versionOf("node"), npm: versionOf("npm") },
    });
    writeFileSync(guide, putTranscript(readFileSync(guide, "utf8"), transcript));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
