// A process of ours that lives as long as we need it, and not longer.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { delimiter, join } from "node:path";
import type { Env } from "../profiles/settings.ts";

export type Child = {
  readonly pid: number | undefined;
  readonly hasEnded: () => boolean;
  /** What it said last, for whoever wants to know why it ended. */
  readonly lastLines: () => readonly string[];
  /** Asks it to end, and waits until it has. */
  readonly stop: () => Promise<void>;
  readonly ended: Promise<void>;
};

export type ChildOptions = {
  readonly checkout: string;
  readonly args: readonly string[];
  readonly env: Env;
  readonly onLine?: (line: string) => void;
};

const keptLines = 12;
/** After this it is ended the hard way. */
const patienceMs = 30_000;

/** Runs one of the checkout's programs with the Node that we run on. */
export function startChild({ checkout, args, env, onLine }: ChildOptions): Child {
  const path = [join(checkout, "node_modules/.bin"), env["PATH"] ?? ""].join(delimiter);
  const process_ = spawn(process.execPath, [...args], {
    ...{ cwd: checkout, env: { ...env, PATH: path }, stdio: ["ignore", "pipe", "pipe"] },
    // In a group of its own: Ctrl-C is for us, and we tell it once. Told twice it would not tidy up.
    detached: true,
  });
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
  // Whoever ends us otherwise than by Ctrl-C does not want it to go on either.
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
      const timer = setTimeout(() => process_.kill("SIGKILL"), patienceMs);
      await ended;
      clearTimeout(timer);
      for (const signal of ["SIGTERM", "SIGHUP"] as const) process.off(signal, onEnd);
    },
  };
}
