// A child process that ends with this one.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { delimiter, join } from "node:path";
import type { Env } from "../profiles/settings.ts";

export type Child = {
  readonly pid: number | undefined;
  readonly hasEnded: () => boolean;
  /** Its last output, to diagnose an exit. */
  readonly lastLines: () => readonly string[];
  /** Stops it and waits until it has ended. */
  readonly stop: () => Promise<void>;
  readonly ended: Promise<void>;
};

export type ChildOptions = {
  readonly checkout: string;
  readonly args: readonly string[];
  readonly env: Env;
  readonly onLine?: (line: string) => void;
  /** Its standard input. Default: empty. */
  readonly input?: string;
};

const keptLines = 12;
/** Then it is killed. */
const killAfterMs = 30_000;

/** Runs a program of the checkout with the current Node. */
export function startChild({ checkout, args, env, onLine, input = "" }: ChildOptions): Child {
  const path = [join(checkout, "node_modules/.bin"), env["PATH"] ?? ""].join(delimiter);
  const process_ = spawn(process.execPath, [...args], {
    ...{ cwd: checkout, env: { ...env, PATH: path }, stdio: ["pipe", "pipe", "pipe"] },
    // In its own process group: Ctrl-C must reach it once, through us. A second signal would skip its cleanup.
    detached: true,
  });
  // A child that exits early closes its input; its output shows why.
  process_.stdin.on("error", () => undefined).end(input);
  const lines: string[] = [];
  let hasEnded = false;
  const ended = once(process_, "close").then(
    () => undefined,
    () => undefined,
  );
  void ended.then(() => {
    hasEnded = true;
  });
  for (const stream of [process_.stdout, process_.stderr])
    createInterface({ input: stream }).on("line", (line) => {
      lines.push(line);
      if (lines.length > keptLines) lines.shift();
      onLine?.(line);
    });
  const interrupt = (): void => {
    if (!hasEnded) process_.kill("SIGINT");
  };
  // Other signals stop the child as well.
  const onEnd = (): void => {
    interrupt();
    process.exit(1);
  };
  for (const signal of ["SIGTERM", "SIGHUP"] as const) process.once(signal, onEnd);
  return {
    pid: process_.pid,
    hasEnded: () => hasEnded,
    lastLines: () => lines,
    ended,
    stop: async () => {
      interrupt();
      const timer = setTimeout(() => process_.kill("SIGKILL"), killAfterMs);
      await ended;
      clearTimeout(timer);
      for (const signal of ["SIGTERM", "SIGHUP"] as const) process.off(signal, onEnd);
    },
  };
}
