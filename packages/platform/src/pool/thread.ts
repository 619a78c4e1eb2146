/** One worker with an engine of its own. It runs one job at a time and is ended from outside when the job costs too much. */
import { watchCpu } from "./cpu-budget.ts";
import { outOfMemory, startWorker, type AnyWorker, type WorkerKind } from "./start-worker.ts";

type Used = {
  /** CPU time since it started. */
  readonly cpuMs: number;
  /** Memory. Of a thread: its heap and buffers. Of a process: all that it grew by since it was ready. */
  readonly heldMb: number;
};

/** Messages of a worker, in `serveJobs`. */
export type FromWorker<Result, About> = Used &
  (
    | { readonly kind: "ready"; readonly about: About }
    | { readonly kind: "done"; readonly result: Result }
    | { readonly kind: "failed"; readonly error: unknown }
  );

export type Outcome<Result> =
  | { readonly kind: "done"; readonly result: Result; readonly cpuMs: number }
  /** The job was ended, and the thread with it: code that is stopped halfway may leave its caches inconsistent. */
  | { readonly kind: "over_budget"; readonly of: "time" | "memory"; readonly cpuMs: number };

type ThreadOptions = {
  readonly kind: WorkerKind;
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
  /** Memory at the end of its last job, in MB. */
  readonly heldMb: () => number;
  /** Ends the thread once its job has ended, if it runs one. */
  readonly retire: () => void;
  /** Resolves when the thread has ended, for whatever reason. */
  readonly ended: Promise<void>;
};

export type Started<Job, Result, About> = { readonly thread: Thread<Job, Result>; readonly about: About };

type Running<Result> = {
  readonly resolve: (outcome: Outcome<Result>) => void;
  readonly reject: (error: unknown) => void;
  readonly stopWatching: () => void;
};

/** Resolves once the worker is ready for jobs; rejects with the worker's own error if it cannot start. */
export async function startThread<Job, Result, About>({
  signal,
  ...options
}: ThreadOptions): Promise<Started<Job, Result, About>> {
  const worker = startWorker(options);
  const ready = Promise.withResolvers<About>();
  const thread = makeThread<Job, Result>(worker);
  let failure: unknown = new Error("a worker thread ended");
  worker.on("error", (error) => {
    failure = error;
  });
  worker.on("message", (sent) => {
    const message = sent as FromWorker<Result, About>;
    if (message.kind === "ready") ready.resolve(message.about);
    thread.onMessage(message);
  });
  const end = (): void => {
    worker.terminate();
  };
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
  const { run, isAlive, heldMb, retire } = thread;
  return { thread: { run, isAlive, heldMb, retire, ended }, about };
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === outOfMemory;

type Inner<Job, Result> = Omit<Thread<Job, Result>, "ended"> & {
  readonly onMessage: (message: FromWorker<Result, unknown>) => void;
  readonly onExit: (failure: unknown) => void;
};

function makeThread<Job, Result>(worker: AnyWorker): Inner<Job, Result> {
  let running: Running<Result> | undefined;
  let [cpuMs, heldMb] = [0, 0];
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
    heldMb: () => heldMb,
    retire: () => {
      isAlive = false;
      if (running === undefined) worker.terminate();
    },
    run: (job, budgetMs) =>
      new Promise((resolve, reject) => {
        const stopWatching = watchCpu(worker, { since: cpuMs, budgetMs }, (used) => {
          isAlive = false;
          take()?.resolve({ kind: "over_budget", of: "time", cpuMs: used });
          worker.terminate();
        });
        running = { resolve, reject, stopWatching };
        worker.postMessage(job);
      }),
    onMessage: (message) => {
      const used = message.cpuMs - cpuMs;
      ({ cpuMs, heldMb } = message);
      if (message.kind === "done") take()?.resolve({ kind: "done", result: message.result, cpuMs: used });
      if (message.kind === "failed") take()?.reject(message.error);
      if (!isAlive) worker.terminate();
    },
    onExit: (failure) => {
      isAlive = false;
      if (isOutOfMemory(failure)) take()?.resolve({ kind: "over_budget", of: "memory", cpuMs: 0 });
      else take()?.reject(failure);
    },
  };
}
