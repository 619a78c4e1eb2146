// A user who has only Node, npm and git: an empty home, no settings, an empty cache.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { once } from "node:events";

type Line = {
  readonly line: string;
  /** After the command began. */
  readonly ms: number;
};

export type Ran = { readonly lines: readonly Line[]; readonly ms: number };

export type Newcomer = {
  readonly home: string;
  /** `interruptAt`: Ctrl-C as soon as a line holds this. Throws if the command fails. */
  readonly run: (
    command: string,
    folder: string,
    options?: { readonly interruptAt?: string },
  ) => Promise<Ran>;
};

/** Where a system keeps what it came with; our own Node is not among it. */
const path = "/usr/local/bin:/usr/bin:/bin";

/** A command that takes longer than this hangs. */
const timeoutMs = 600_000;

export function makeNewcomer(folder: string): Newcomer {
  const home = join(folder, "home");
  mkdirSync(home);
  const certificates = process.env["NODE_EXTRA_CA_CERTS"];
  const env = {
    ...{ PATH: path, HOME: home, LANG: "C.UTF-8", npm_config_cache: join(folder, "npm-cache") },
    // Where downloads go through a machine in between, that machine has a certificate of its own.
    ...(certificates === undefined ? {} : { NODE_EXTRA_CA_CERTS: certificates }),
  };
  return { home, run: (command, at, options = {}) => runCommand(command, { cwd: at, env, ...options }) };
}

type Options = {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly interruptAt?: string;
};

async function runCommand(command: string, { cwd, env, interruptAt }: Options): Promise<Ran> {
  const began = performance.now();
  // One pipe for both, so that lines stand in the order in which they were written. A group of its own, as in a terminal.
  const child = spawn("bash", ["-c", `exec 2>&1; ${command}`], {
    ...{ cwd, env, detached: true, stdio: ["ignore", "pipe", "inherit"] },
  });
  const interrupt = (): void => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGINT");
  };
  const lines: Line[] = [];
  const pressed = { isInterrupted: false };
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push({ line, ms: performance.now() - began });
    if (interruptAt === undefined || pressed.isInterrupted || !line.includes(interruptAt)) return;
    pressed.isInterrupted = true;
    // As a terminal shows the key.
    lines.push({ line: "^C", ms: performance.now() - began });
    interrupt();
  });
  const timer = setTimeout(interrupt, timeoutMs);
  process.once("SIGINT", interrupt);
  const [code] = (await once(child, "close")) as [number | null];
  clearTimeout(timer);
  process.off("SIGINT", interrupt);
  if (code !== 0 && !pressed.isInterrupted)
    throw new Error(`${command} ended with ${code}:\n${lines.map(({ line }) => line).join("\n")}`);
  return { lines, ms: performance.now() - began };
}

export function versionOf(program: "node" | "npm"): string {
  const { stdout } = spawnSync(program, ["--version"], { env: { PATH: path }, encoding: "utf8" });
  return stdout.trim().replace(/^v/, "");
}
