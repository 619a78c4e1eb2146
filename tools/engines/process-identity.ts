import { readFileSync } from "node:fs";

/** A process, told apart from a later one that was given the same pid. */
export type ProcessIdentity = {
  readonly pid: number;
  /** When it began, in the kernel's ticks since boot. */
  readonly startTime: string;
};

type Stat = { readonly state: string; readonly startTime: string };

function readStat(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the command in parentheses and may itself hold spaces and parentheses: count from the last one.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0] ?? "", startTime: fields[19] ?? "" };
  } catch {
    return undefined;
  }
}

/** Undefined when there is no such process. */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  const stat = readStat(pid);
  return stat === undefined ? undefined : { pid, startTime: stat.startTime };
}

/** A zombie does not count: it holds nothing any more, and where init does not reap orphans it stays one for ever. */
export function isRunning({ pid, startTime }: ProcessIdentity): boolean {
  const stat = readStat(pid);
  return stat?.startTime === startTime && stat.state !== "Z";
}
