import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { connectGuard } from "./connect-guard.ts";
import { basicEnvironment } from "./environment.ts";
import { identifyProcess, type ProcessIdentity } from "./process-identity.ts";
import { patienceMs, signalProcess } from "./stop-process.ts";

export type UnixUser = { readonly uid: number; readonly gid: number };

export type ChildSpec = {
  /** Names the log file, too. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Added to the basics; nothing else of our environment is passed on. */
  readonly env?: Readonly<Record<string, string>>;
  readonly stopSignal?: NodeJS.Signals;
  readonly as?: UnixUser | undefined;
};

export type ChildExit = { readonly name: string; readonly reason: string; readonly logFile: string };

export type Child = {
  readonly name: string;
  readonly pid: number;
  readonly logFile: string;
  /** Undefined while it runs, then in words how it ended. */
  readonly exitReason: () => string | undefined;
  readonly exited: Promise<ChildExit>;
  /** Asks it to stop, and kills it when it does not within ten seconds. */
  readonly stop: () => Promise<void>;
  /** Ends it as a power cut would. */
  readonly kill: () => Promise<void>;
};

export type Supervisor = {
  readonly start: (spec: ChildSpec) => Child;
  /** Runs a program that is meant to end. True when it ended with exit code 0. */
  readonly run: (spec: ChildSpec) => Promise<boolean>;
  /** Stops everything, last started first. */
  readonly stop: (onStopped?: (name: string, tookMs: number) => void) => Promise<void>;
  /** Ends everything at once, as a power cut would. */
  readonly kill: () => void;
  readonly logFile: (name: string) => string;
  readonly pids: () => Readonly<Record<string, number>>;
  readonly guard: ProcessIdentity;
};

type Options = {
  readonly logDir: string;
  /** A child or the guard exited unexpectedly. */
  readonly onUnexpectedExit?: (exit: ChildExit) => void;
};

type Started = Child & { readonly expectExit: () => void; readonly identity: ProcessIdentity };

/** Starts processes and sees to it that none of them outlives us, whichever way we end. */
export function makeSupervisor({ logDir, onUnexpectedExit = () => undefined }: Options): Supervisor {
  mkdirSync(logDir, { recursive: true });
  const logFile = (name: string): string => join(logDir, `${name}.log`);
  const running: Started[] = [];
  let isStopping = false;
  const guard = connectGuard(() => {
    onUnexpectedExit({ name: "guard", reason: "was killed", logFile: "none" });
  });

  function start(spec: ChildSpec): Started {
    if (isStopping) throw new Error(`${spec.name} was not started, because everything is being stopped.`);
    const child = startChild(spec, logFile(spec.name), onUnexpectedExit);
    running.push(child);
    guard.watch({ ...child.identity, stopSignal: spec.stopSignal ?? "SIGTERM" });
    void child.exited.then(() => {
      running.splice(running.indexOf(child), 1);
      guard.forget(child.identity);
    });
    return child;
  }

  return {
    guard: guard.identity,
    logFile,
    pids: () => Object.fromEntries(running.map(({ name, pid }) => [name, pid])),
    start,
    run: async (spec) => {
      const child = start(spec);
      child.expectExit();
      return (await child.exited).reason === "exit code 0";
    },
    stop: async (onStopped = () => undefined) => {
      isStopping = true;
      for (const child of running.toReversed()) {
        const began = performance.now();
        await child.stop();
        onStopped(child.name, performance.now() - began);
      }
      await guard.leave();
    },
    kill: () => {
      isStopping = true;
      for (const child of running) {
        child.expectExit();
        signalProcess(child.identity, "SIGKILL");
      }
    },
  };
}

function spawnInGroup({ command, args, cwd, env, as }: ChildSpec, logFile: string): ChildProcess {
  const log = openSync(logFile, "a");
  const spawned = spawn(command, [...args], {
    cwd,
    env: { ...basicEnvironment(), ...env },
    // A process group of its own: a Ctrl-C reaches only us, and we stop things in order.
    detached: true,
    stdio: ["ignore", log, log],
    ...as,
  });
  closeSync(log);
  // A program that is not there is told by the missing pid, in a sentence; unheard, this event would end our process.
  return spawned.on("error", () => undefined);
}

function startChild(spec: ChildSpec, logFile: string, onUnexpectedExit: (exit: ChildExit) => void): Started {
  const { name, command, stopSignal = "SIGTERM" } = spec;
  const spawned = spawnInGroup(spec, logFile);
  const identity = spawned.pid === undefined ? undefined : identifyProcess(spawned.pid);
  if (identity === undefined)
    throw new Error(`${name} could not be started: is ${command} there, and may it be executed?`);
  let exitReason: string | undefined;
  let isExpected = false;
  const exited = new Promise<ChildExit>((resolve) => {
    spawned.once("exit", (code, signal) => {
      exitReason = signal ?? `exit code ${code ?? "unknown"}`;
      const exit = { name, reason: exitReason, logFile };
      if (!isExpected) onUnexpectedExit(exit);
      resolve(exit);
    });
  });
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    isExpected = true;
    signalProcess(identity, signal);
    const tooLate = setTimeout(() => {
      signalProcess(identity, "SIGKILL");
    }, patienceMs);
    await exited;
    clearTimeout(tooLate);
  };
  return {
    name,
    pid: identity.pid,
    identity,
    logFile,
    exitReason: () => exitReason,
    exited,
    expectExit: () => {
      isExpected = true;
    },
    stop: () => end(stopSignal),
    kill: () => end("SIGKILL"),
  };
}
