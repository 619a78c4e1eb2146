// npm run check: everything that must hold of the code without running it. `npm run check -- lint types` runs only those.
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { delimiter, join } from "node:path";
import { steps, type Step } from "./steps.ts";

type Outcome = { readonly passed: boolean; readonly output: string; readonly seconds: string };

const root = join(import.meta.dirname, "../..");
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !steps.some((step) => step.name === name));
if (unknown.length > 0) {
  console.error(
    `There is no check called ${unknown.join(", ")}. There are: ${steps.map(({ name }) => name).join(", ")}.`,
  );
  process.exit(1);
}

function run({ command: [program, ...args] }: Step): Promise<Outcome> {
  const began = performance.now();
  const path = `${join(root, "node_modules/.bin")}${delimiter}${process.env["PATH"] ?? ""}`;
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: root,
      env: { ...process.env, PATH: path, FORCE_COLOR: "0" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    const collect = (chunk: Buffer): void => void (output += chunk.toString());
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    const end = (passed: boolean): void => {
      resolve({ passed, output, seconds: ((performance.now() - began) / 1000).toFixed(1) });
    };
    child.once("error", (error) => {
      output += error.message;
      end(false);
    });
    child.once("close", (code) => {
      end(code === 0);
    });
  });
}

// Runs all steps even after a failure, so that all problems are visible at once.
const waiting = steps.filter(({ name }) => asked.length === 0 || asked.includes(name));
const failed: string[] = [];
async function work(): Promise<void> {
  for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
    const { passed, output, seconds } = await run(step);
    console.log(`${passed ? "✓" : "✗"} ${step.name.padEnd(10)} ${step.claim} (${seconds} s)`);
    if (passed) continue;
    failed.push(step.name);
    console.log(output.trim().replaceAll(/^/gm, "    "));
  }
}
// CHECK_JOBS: how many steps run at once, where other work needs the other cores.
const jobs = Number(process.env["CHECK_JOBS"] ?? availableParallelism());
await Promise.all(Array.from({ length: jobs }, work));
if (failed.length > 0) {
  console.error(`\nNot in order: ${failed.join(", ")}.`);
  process.exitCode = 1;
}
