import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { basicEnvironment } from "./environment.ts";
import type { Charge, GuardMessage } from "./guard.ts";
import { identifyProcess, type ProcessIdentity } from "./process-identity.ts";

export type Guard = {
  readonly identity: ProcessIdentity;
  readonly watch: (charge: Charge) => void;
  readonly forget: (child: ProcessIdentity) => void;
  /** Everything is stopped; the guard may go. Returns when it has. */
  readonly leave: () => Promise<void>;
};

/** Starts the guard of this process. `onLost` is called when it ends before it was told to. */
export function connectGuard(onLost: () => void): Guard {
  const guard = spawn(process.execPath, [fileURLToPath(new URL("guard.ts", import.meta.url))], {
    // A session of its own: neither a Ctrl-C nor a kill of our process group reaches it.
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
    cwd: "/",
    env: basicEnvironment(),
  });
  // Without a listener a failed start would end the process before the error below is reported.
  guard.on("error", () => undefined);
  const identity = guard.pid === undefined ? undefined : identifyProcess(guard.pid);
  if (identity === undefined)
    throw new Error(
      "The guard process could not be started; without it a killed run would leave engines behind.",
    );
  let isLeaving = false;
  // It must not keep an otherwise finished process alive.
  guard.unref();
  const exited = new Promise<void>((resolve) => {
    guard.once("exit", () => {
      if (!isLeaving) onLost();
      resolve();
    });
  });
  // A write to a guard that was killed fails; `onLost` has told of it.
  guard.stdin.on("error", () => undefined);
  const tell = (message: GuardMessage): void => {
    guard.stdin.write(`${JSON.stringify(message)}\n`);
  };
  return {
    identity,
    watch: (charge) => {
      tell({ watch: charge });
    },
    forget: (child) => {
      tell({ forget: child });
    },
    leave: async () => {
      isLeaving = true;
      guard.ref();
      tell({ leave: true });
      await exited;
    },
  };
}
