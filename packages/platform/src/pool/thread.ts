/** One worker thread with an engine of its own. It runs one job at a time and is ended from outside when the job costs too much. */
import { Worker } from "node:worker_threads";
import { watchCpu } from "./cpu-budget.ts";

/** Messages of a worker, in `serveJobs`. `cpuMs` is the CPU time of the thread since it started. */
export type FromWorker<Result, About> =
  | { readonly kind: "ready"; readonly about: About; readonly cpuMs: number }
  | { readonly kind: "done"; readonly result: Result; readonly cpuMs: number }
  | { readonly kind: "failed"; readonly error: unknown; readonly cpuMs: number };

export type Outcome<Result> =
  | { readonly kind: "done"; readonly result: Result; readonly cpuMs: number }
  /** The job was ended, and the thread with it: code that is stopped halfway may leave its caches inconsistent. */
  | { readonly kind: "over_budget"; readonly of: "time" | "memory"; readonly cpuMs: number };

type ThreadOptions = {
  readonly file: URL;
  /** Must survive structured clone. Holds no secret: a worker needs none. */
  readonly data: unknown;
  readonly memoryMb: number;
  /** Ends the thread, also while it is starting. */
  readonly signal: AbortSignal;
};

export type Thread<Job, Result> = {
  /** Rejects if the job throws or the thread dies under it. */
  readonly run: (job: Job, budgetMs: number) => Promise<Outcome<Result>>;
  /** False from the moment that the thread is being ended. */
  readonly isAlive: () => boolean;
  /** Resolves when the thread has ended, for whatever reason. */
  readonly ended: Promise<void>;
};

type Started<Job, Result, About> = { readonly thread: Thread<Job, Result>; readonly about: About };

type Running<Result> = {
  readonly resolve: (outcome: Outcome<Result>) => void;
  readonly reject: (error: unknown) => void;
  readonly stopWatching: () => void;
};

/** Resolves once the worker is ready for jobs; rejects with the worker's own error if it cannot start. */
export async function startThread<Job, Result, About>({
  file,
  data,
  memoryMb,
  signal,
}: ThreadOptions): Promise<Started<Job, Result, About>> {
  const worker = new Worker(file, {
    workerData: data,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  const ready = Promise.withResolvers<About>();
  const thread = makeThread<Job, Result>(worker);
  let failure: unknown = new Error("a worker thread ended");
  worker.on("error", (error) => {
    failure = error;
  });
  worker.on("message", (message: FromWorker<Result, About>) => {
    if (message.kind === "ready") ready.resolve(message.about);
    thread.onMessage(message);
  });
  const end = (): void => void worker.terminate();
  signal.addEventListener("abort", end);
  const ended = new Promise<void>((resolve) => {
    worker.once("exit", () => {
      signal.removeEventListener("abort", end);
      ready.reject(failure);
      thread.onExit(failure);
      resolve();
    });
  });
  const about = await ready.promise;
  return { thread: { run: thread.run, isAlive: thread.isAlive, ended }, about };
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";

type Inner<Job, Result> = Pick<Thread<Job, Result>, "run" | "isAlive"> & {
  readonly onMessage: (message: FromWorker<Result, unknown>) => void;
  readonly onExit: (failure: unknown) => void;
};

function makeThread<Job, Result>(worker: Worker): Inner<Job, Result> {
  let running: Running<Result> | undefined;
  let cpuMs = 0;
  let isAlive = true;
  /** Takes the job that runs, if there is one. Only who takes it settles it. */
  const take = (): Running<Result> | undefined => {
    const job = running;
    running = undefined;
    job?.stopWatching();
    return job;
  };
  return {
    isAlive: () => isAlive,
    run: (job, budgetMs) =>
      new Promise((resolve, reject) => {
        const stopWatching = watchCpu(worker, { since: cpuMs, budgetMs }, (used) => {
          isAlive = false;
          take()?.resolve({ kind: "over_budget", of: "time", cpuMs: used });
          void worker.terminate();
        });
        running = { resolve, reject, stopWatching };
        worker.postMessage(job);
      }),
    onMessage: (message) => {
      const used = message.cpuMs - cpuMs;
      ({ cpuMs } = message);
      if (message.kind === "done") take()?.resolve({ kind: "done", result: message.result, cpuMs: used });
      if (message.kind === "failed") take()?.reject(message.error);
    },
    onExit: (failure) => {
      isAlive = false;
      if (isOutOfMemory(failure)) take()?.resolve({ kind: "over_budget", of: "memory", cpuMs: 0 });
      else take()?.reject(failure);
    },
  };
}
