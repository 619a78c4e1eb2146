// The whole system on this machine: real engines and our own services, each a process of its own, all on loopback.
import { rmSync } from "node:fs";
import type { Deployment } from "@countersign/contracts/deploy";
import { identifyProcess } from "../engines/process-identity.ts";
import { makeSupervisor, type Supervisor } from "../engines/supervisor.ts";
import { makeBoard, type Board } from "./board.ts";
import { bringUp } from "./bring-up.ts";
import { claimDataDir, type Claim } from "./claim.ts";
import { emptyDataDir, openDataDir, type DataDir } from "./data-dir.ts";
import type { DevOptions } from "./options.ts";
import { urlsOf, type Part, type StackUrls } from "./parts.ts";
import { checkPortsFree } from "./ports.ts";
import { silent, type Report } from "./report.ts";
import { ensureServerKeys, type ServerKeys } from "./server-keys.ts";
import { writeStackFile } from "./stack-file.ts";

export type Stack = {
  readonly urls: StackUrls;
  readonly parts: () => readonly Part[];
  readonly contracts: Pick<Deployment, "accountRegistry" | "serviceRegistry" | "inbox">;
  /** Good on this stack only. */
  readonly serverKeys: ServerKeys;
  readonly stop: () => Promise<void>;
};

/** A stack that can be stopped at any moment, also while it starts. */
export type StackControl = {
  readonly start: () => Promise<Stack>;
  /** Stops what was started, in order. The data stay. */
  readonly stop: () => Promise<void>;
  /** Ends everything at once, as a power cut would. */
  readonly kill: () => void;
};

type StackOptions = Omit<DevOptions, "logs" | "story" | "world"> & {
  /** Whether the pages are built and served, too. */
  readonly web?: boolean;
  /** Whether a chain with real contracts and the simulator are started, too. */
  readonly world?: boolean;
};

/** Returns when everything is up. When something is not, what was started is stopped again. */
export const startStack = (options: StackOptions, report?: Report): Promise<Stack> =>
  makeStack(options, report).start();

export function makeStack(options: StackOptions, report: Report = silent): StackControl {
  let running: Running | undefined;
  let stopping: Promise<void> | undefined;

  const stop = (): Promise<void> => (stopping ??= running?.stop(report.stopped) ?? Promise.resolve());

  return {
    stop,
    kill: () => {
      running?.kill();
    },
    start: async () => {
      const dir = openDataDir(options.dataDir);
      const claim = await claimDataDir(dir);
      try {
        if (options.fresh) emptyDataDir(dir);
        await checkPortsFree(options.ports);
        if (stopping !== undefined) throw new Error("Stopped before anything was started.");
        running = run({ dir, claim, options, report });
        return { ...(await running.green), stop };
      } catch (error) {
        await stop();
        claim.release();
        throw error;
      }
    },
  };
}

type Running = {
  readonly green: Promise<Omit<Stack, "stop">>;
  readonly stop: (onStopped: Report["stopped"]) => Promise<void>;
  readonly kill: () => void;
};

type RunOptions = {
  readonly dir: DataDir;
  readonly claim: Claim;
  readonly options: StackOptions;
  readonly report: Report;
};

function run({ dir, claim, options: { ports, web = false, world = false }, report }: RunOptions): Running {
  // Each run has logs of its own: what is in them happened in this one.
  rmSync(dir.logs, { recursive: true, force: true });
  const urls = urlsOf(ports);
  let publish = (): void => undefined;
  const supervisor = makeSupervisor({
    logDir: dir.logs,
    onUnexpectedExit: (exit) => {
      if (board.noteExit(exit)) publish();
    },
  });
  const board = makeBoard({ urls, logFile: supervisor.logFile, report });
  claim.addGuard(supervisor.guard);

  const green = bringUp({ supervisor, dir, ports, urls, web, world, part: board.part }).then((deployment) => {
    const { accountRegistry, serviceRegistry, inbox } = deployment;
    const contracts = { accountRegistry, serviceRegistry, inbox };
    publish = makePublish({ dir, urls, supervisor, board, contracts });
    publish();
    return { urls, parts: board.parts, contracts, serverKeys: ensureServerKeys(dir.serverKeysFile) };
  });

  const retract = (): void => {
    board.close();
    publish = () => undefined;
    rmSync(dir.stackFile, { force: true });
  };
  return {
    green,
    stop: async (onStopped) => {
      retract();
      await supervisor.stop(onStopped);
      claim.release();
    },
    kill: () => {
      retract();
      supervisor.kill();
      claim.release();
    },
  };
}

type PublishOptions = Pick<Stack, "urls" | "contracts"> & {
  readonly dir: DataDir;
  readonly supervisor: Supervisor;
  readonly board: Board;
};

/** Writes down where everything is, for other tools; again when a part has ended. */
function makePublish({ dir, urls, supervisor, board, contracts }: PublishOptions): () => void {
  const startedAt = new Date().toISOString();
  const runner = identifyProcess(process.pid) ?? { pid: process.pid, startTime: "" };
  return () => {
    writeStackFile(dir.stackFile, {
      startedAt,
      runner,
      guard: supervisor.guard,
      urls,
      pids: supervisor.pids(),
      contracts,
      parts: board.parts(),
    });
  };
}
