import { setTimeout as sleep } from "node:timers/promises";
import { isRunning, type ProcessIdentity } from "./process-identity.ts";

/** After this a process that was asked to stop is killed. */
export const patienceMs = 10_000;
const pollMs = 20;

/** Sends a signal, unless the pid now belongs to another process. */
export function signalProcess(target: ProcessIdentity, signal: NodeJS.Signals): void {
  if (!isRunning(target)) return;
  try {
    // Each child leads its own process group; a kill takes what it may have started with it.
    process.kill(signal === "SIGKILL" ? -target.pid : target.pid, signal);
  } catch (error) {
    // It may have exited between the check and the signal.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/** Asks a process to stop, kills it when it does not, and returns once it is gone. */
export async function stopProcess(target: ProcessIdentity, signal: NodeJS.Signals): Promise<void> {
  signalProcess(target, signal);
  const limit = Date.now() + patienceMs;
  while (isRunning(target)) {
    if (Date.now() > limit) signalProcess(target, "SIGKILL");
    await sleep(pollMs);
  }
}
