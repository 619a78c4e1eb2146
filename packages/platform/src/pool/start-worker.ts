/** Starts the worker of a thread of the pool: a worker thread, or a process for code that a thread cannot end. */
import { fork, type ChildProcess } from "node:child_process";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";

/**
 * `thread`: JavaScript, which `terminate` ends at any point. `process`: native code that runs in threads of its own, which only the
 * end of its process ends. A process gets no data.
 */
export type WorkerKind = "thread" | "process";

/** The code of the error of a worker that needs too much memory, as Node has it for threads. */
export const outOfMemory = "ERR_WORKER_OUT_OF_MEMORY";

type WorkerOptions = {
  readonly kind: WorkerKind;
  readonly file: URL;
  readonly data: unknown;
  /** Of a thread: its JavaScript. Of a process: what it may grow by during one job, native memory included. */
  readonly memoryMb: number;
};

export type AnyWorker = {
  readonly postMessage: (message: unknown) => void;
  /** In microseconds since its start. */
  readonly cpuUsage: () => Promise<{ readonly user: number; readonly system: number }>;
  readonly terminate: () => void;
  readonly on: (event: "message" | "error", listener: (value: unknown) => void) => unknown;
  readonly once: (event: "exit", listener: () => void) => unknown;
};

/** Neither kind inherits the environment, which holds secrets. */
export function startWorker({ kind, file, data, memoryMb }: WorkerOptions): AnyWorker {
  if (kind === "process") return startProcess(file, memoryMb);
  const worker = new Worker(file, {
    workerData: data,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  return {
    postMessage: (message) => {
      worker.postMessage(message);
    },
    cpuUsage: () => worker.cpuUsage(),
    terminate: () => void worker.terminate(),
    on: (event, listener) => worker.on(event, listener),
    once: (event, listener) => worker.once(event, listener),
  };
}

function startProcess(file: URL, memoryMb: number): AnyWorker {
  const child = fork(file, {
    env: {},
    execArgv: [`--max-old-space-size=${memoryMb}`],
    serialization: "advanced",
  });
  const memory = watchMemory(child, memoryMb);
  child.on("message", memory.stop);
  child.once("exit", memory.stop);
  // A message to a process that has just ended. Its exit settles the job.
  const ignore = (): void => undefined;
  return {
    postMessage: (message) => {
      memory.start();
      child.send(message as object, ignore);
    },
    cpuUsage: () => readCpu(child),
    terminate: () => void child.kill("SIGKILL"),
    on: (event, listener) => child.on(event, listener),
    once: (event, listener) => child.once(event, listener),
  };
}

/** Native code that records what it does grows by about half a megabyte in a millisecond. */
const memoryCheckMs = 25;
const pageMb = 4_096 / 2 ** 20;

/** Ends the process if it grows by more than `memoryMb` during one job. The crew looks at the memory that it keeps between jobs. */
function watchMemory(
  child: ChildProcess,
  memoryMb: number,
): { readonly start: () => void; readonly stop: () => void } {
  /** Of the job that runs. Reading takes time, in which that job may end and the next one begin: each has its own. */
  let watching = new AbortController();
  const stop = (): void => {
    watching.abort();
  };
  const watch = async (signal: AbortSignal): Promise<void> => {
    const sinceMb = await readMemoryMb(child);
    for (let nowMb = sinceMb; nowMb - sinceMb <= memoryMb; nowMb = await readMemoryMb(child))
      await sleep(memoryCheckMs, undefined, { signal });
    if (!signal.aborted) endForMemory(child);
  };
  return {
    start: () => {
      stop();
      watching = new AbortController();
      // The job or the process has ended, or the machine has no /proc.
      watch(watching.signal).catch(() => undefined);
    },
    stop,
  };
}

function endForMemory(child: ChildProcess): void {
  child.emit("error", Object.assign(new Error("the process needs too much memory"), { code: outOfMemory }));
  child.kill("SIGKILL");
}

async function readMemoryMb({ pid }: ChildProcess): Promise<number> {
  const [, resident = "0"] = (await readFile(`/proc/${String(pid)}/statm`, "utf8")).split(" ");
  return Number(resident) * pageMb;
}

/** Linux counts in hundredths of a second, for programs. */
const tickMicroseconds = 10_000;

/** CPU time of all threads of a process, also of native code that answers no message. */
async function readCpu({ pid }: ChildProcess): Promise<{ readonly user: number; readonly system: number }> {
  const line = await readFile(`/proc/${String(pid)}/stat`, "utf8");
  // The name of the program comes second, in parentheses, and may contain blanks.
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  const [user = 0, system = 0] = [fields[11], fields[12]].map(Number);
  return { user: user * tickMicroseconds, system: system * tickMicroseconds };
}
