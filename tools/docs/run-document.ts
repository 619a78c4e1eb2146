import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { StackUrls } from "../dev/parts.ts";
import { translationTo } from "./addresses.ts";
import type { Fault } from "./blocks.ts";
import { copyCheckout, type Checkout } from "./checkout.ts";
import { matchesJson, matchesText } from "./compare.ts";
import { planDocument, type NotRun, type Step } from "./plan.ts";
import { writeScript } from "./script.ts";

/** The timeout of a document, longer than any of them takes. */
const timeoutMs = 300_000;

export type System = { readonly stackFile: string; readonly urls: StackUrls };

export type Outcome = {
  readonly blocks: number;
  readonly notRun: readonly NotRun[];
  readonly faults: readonly Fault[];
};

/** Runs the blocks of one document against a running system, in a copy of the checkout. */
export async function runDocument(root: string, document: string, system: System): Promise<Outcome> {
  const { toSystem, toDocument } = translationTo(system.urls);
  const text = readFileSync(join(root, document), "utf8");
  const plan = planDocument(text);
  const steps = planDocument(toSystem(text)).steps;
  const blocks = steps.reduce((sum, step) => sum + (step.kind === "program" ? step.blocks.length : 1), 0);
  const { notRun } = plan;
  if (plan.faults.length > 0 || steps.length === 0) return { blocks, notRun, faults: plan.faults };

  const checkout = copyCheckout(root);
  try {
    const faults = await runSteps({ root, checkout, document, system, steps });
    return {
      blocks,
      notRun,
      faults: faults.map(({ line, message }) => ({ line, message: toDocument(message) })),
    };
  } finally {
    checkout.remove();
  }
}

type Run = {
  readonly root: string;
  readonly checkout: Checkout;
  readonly document: string;
  readonly system: System;
  readonly steps: readonly Step[];
};

async function runSteps(run: Run): Promise<readonly Fault[]> {
  const { checkout, document, steps } = run;
  const script = writeScript(checkout, document, steps);
  const bash = spawn("bash", ["-c", script.text], {
    cwd: checkout.root,
    env: environmentOf(run),
    timeout: timeoutMs,
    killSignal: "SIGKILL",
    stdio: "ignore",
  });
  const [status, signal] = (await once(bash, "close")) as [number | null, NodeJS.Signals | null];
  const note = (name: string): string => {
    const file = join(checkout.steps, name);
    return existsSync(file) ? readFileSync(file, "utf8").trim() : "";
  };
  const last = Number(note("current"));
  const isWhole = status === 0;
  const ended = isWhole ? steps : steps.slice(0, last);
  const outputs = ended.flatMap((step, number) => compareOutput(step, note(`${number}.out`)));
  if (isWhole) return outputs;

  const why = signal === null ? "" : `ended by ${signal} after ${timeoutMs / 1000} seconds at most\n`;
  const printed = `${why}${note(`${last}.out`)}\n${note(`${last}.err`)}`.trim();
  const message = script.names.reduce((text, [path, name]) => text.replaceAll(path, name), printed);
  return [...outputs, { line: lineOf(steps[last], note("line")), message }];
}

/** Where bash stopped; of a program only node knows, and says it in its message. */
function lineOf(step: Step | undefined, line: string): number {
  if (step?.kind === "commands") return line === "" ? step.block.line : Number(line);
  return step?.kind === "program" ? step.blocks[0].line : (step?.block.line ?? 0);
}

function compareOutput(step: Step, printed: string): readonly Fault[] {
  if (step.kind !== "commands" || step.output === undefined) return [];
  const { language, text, line } = step.output;
  const isAsShown =
    language === "json" ? matchesJson(JSON.parse(text), parsed(printed)) : matchesText(text, printed);
  return isAsShown ? [] : [{ line, message: `this was printed instead:\n${printed}` }];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The developer's environment, without what is theirs: home folder, profiles, and settings of our own commands. */
function environmentOf({ root, checkout, system, steps }: Run): NodeJS.ProcessEnv {
  const mine = Object.entries(process.env).filter(([name]) => !/^(?:COUNTERSIGN_|XDG_)/.test(name));
  const given = new Set(steps.flatMap((step) => (step.kind === "commands" ? step.given : [])));
  const environment = {
    ...Object.fromEntries(mine),
    PATH: [join(root, "node_modules/.bin"), dirname(process.execPath), process.env["PATH"]].join(":"),
    HOME: checkout.home,
    NO_COLOR: "1",
    STEPS: checkout.steps,
    COUNTERSIGN_STACK: system.stackFile,
    COUNTERSIGN_URL: system.urls.api,
    COUNTERSIGN_VALIDATOR_URL: system.urls.validator,
  };
  return given.size === 0 ? environment : { ...environment, ...give(given, environment) };
}

function give(names: ReadonlySet<string>, env: NodeJS.ProcessEnv): Record<string, string> {
  const program = join(import.meta.dirname, "given.ts");
  const { status, stdout, stderr } = spawnSync(process.execPath, [program], { env, encoding: "utf8" });
  if (status !== 0) throw new Error(`no account could be made for the reader:\n${stderr}`);
  const all = JSON.parse(stdout) as Record<string, string>;
  return Object.fromEntries(
    [...names].map((name) => {
      const value = all[name];
      if (value === undefined)
        throw new Error(`given="${name}" is not one of ${Object.keys(all).join(", ")}`);
      return [name, value];
    }),
  );
}
