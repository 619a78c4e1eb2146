// Describes a running stack for other tools: its addresses and processes.
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { isRunning, type ProcessIdentity } from "../engines/process-identity.ts";
import type { Part, StackUrls } from "./parts.ts";

export type StackFile = {
  readonly startedAt: string;
  readonly runner: ProcessIdentity;
  readonly guard: ProcessIdentity;
  readonly urls: StackUrls;
  readonly pids: Readonly<Record<string, number>>;
  readonly contracts: Readonly<Record<string, string>>;
  readonly parts: readonly Part[];
};

export function writeStackFile(file: string, stack: StackFile): void {
  // Written to a temporary file and renamed, so that a reader never sees half of it.
  writeFileSync(`${file}.draft`, `${JSON.stringify(stack, undefined, 2)}\n`);
  renameSync(`${file}.draft`, file);
}

/** Undefined when no stack runs there. A file that a killed run left does not count. */
export function findRunningStack(file: string): StackFile | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
  const stack = JSON.parse(text) as StackFile;
  return isRunning(stack.runner) ? stack : undefined;
}
