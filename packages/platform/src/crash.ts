// Crash points for recovery tests. They do nothing unless a test enables one.
import { appendFileSync } from "node:fs";

type Armed = {
  /** `name` or `name#n`: the n-th time that place is reached. */
  readonly at?: string | undefined;
  /** Where the names of all places that are reached are written, so that a sweep can go through them. */
  readonly listTo?: string | undefined;
};

let armed: Armed = {};
const reached = new Map<string, number>();

/** Once, at the start of a process that is to be killed on the way. */
export const armCrashPoints = (given: Armed): void => {
  armed = given;
};

/** Marks a point before or after an effect that must happen exactly once. Costs one comparison if disabled. */
export function crashPoint(name: string): void {
  if (armed.at === undefined && armed.listTo === undefined) return;
  const times = (reached.get(name) ?? 0) + 1;
  reached.set(name, times);
  if (armed.listTo !== undefined) appendFileSync(armed.listTo, `${name}\n`);
  const [at, number = "1"] = armed.at?.split("#") ?? [];
  // As a power cut would: no handler runs, nothing is flushed.
  if (at === name && times === Number(number)) process.kill(process.pid, "SIGKILL");
}
