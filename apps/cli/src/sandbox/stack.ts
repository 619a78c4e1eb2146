// Finds the running local system, or starts it as `npm run dev` does.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Hex } from "@countersign/sdk";
import type { Context } from "../context.ts";
import { CliError } from "../errors.ts";
import { exitCodes } from "../exit-codes.ts";
import { plainLine } from "../terminal/plain-text.ts";
import { startChild, type Child } from "./child.ts";

export type Stack = {
  readonly urls: { readonly api: string; readonly validator: string; readonly anvil: string };
  readonly contracts: { readonly inbox: Hex; readonly serviceRegistry: Hex };
};

type StackFile = Stack & { readonly runner: { readonly pid: number } };

export type StackOptions = {
  readonly checkout: string;
  /** The data folder. Default: in the checkout. */
  readonly data?: string;
  /** The first port. Default: the usual ports. */
  readonly ports?: string;
};

export type Running = {
  readonly stack: Stack;
  /** Undefined if the system was already running: then we must not stop it. */
  readonly child: Child | undefined;
};

export async function bringUp(context: Context, options: StackOptions): Promise<Running> {
  const { checkout, data, ports } = options;
  const file = join(data === undefined ? join(checkout, ".data") : resolve(data), "stack.json");
  // The variable selects a running system, unless --data names another one.
  const elsewhere = data === undefined ? context.env["COUNTERSIGN_STACK"] : undefined;
  const running = readStackFile(elsewhere ?? file);
  if (running !== undefined && isAlive(running.runner.pid) && (await answers(running, context)))
    return { stack: running, child: undefined };
  context.output.notice("Starting everything on this machine. This takes about half a minute.");
  const child = startChild({
    ...{ checkout, env: context.env },
    args: [
      "tools/dev/main.ts",
      "--no-story",
      ...(data === undefined ? [] : ["--data", resolve(data)]),
      ...(ports === undefined ? [] : ["--ports", ports]),
    ],
    onLine: (line) => {
      if (line.startsWith("✓ ")) context.output.notice(`  ${plainLine(line)}`);
      if (line.startsWith("● ")) context.output.progress(`  ${plainLine(line)}`);
    },
  });
  try {
    return { stack: await untilUp(context, child, file), child };
  } catch (error) {
    await child.stop();
    throw error;
  }
}

async function untilUp(context: Context, child: Child, file: string): Promise<Stack> {
  for (;;) {
    const found = readStackFile(file);
    if (found?.runner.pid === child.pid && found !== undefined) return found;
    if (child.hasEnded()) {
      const said = child
        .lastLines()
        .map(plainLine)
        .filter((line) => line.trim() !== "");
      throw new CliError(`The sandbox didn't start:\n${said.slice(-4).join("\n")}`, {
        ...{ code: "no_stack", exitCode: exitCodes.unreachable },
        hint: "countersign sandbox --ports 21000   (for other ports), or npm run dev for details",
      });
    }
    await sleep(200, undefined, { signal: context.signal });
  }
}

/** Returns undefined if the file is missing or unreadable. */
function readStackFile(file: string): StackFile | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as StackFile;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function answers({ urls }: Stack, { fetch }: Context): Promise<boolean> {
  try {
    return (await fetch(`${urls.api}/health`, { signal: AbortSignal.timeout(5_000) })).ok;
  } catch {
    return false;
  }
}
