// A Vitest pool of one thread that is kept for all mutants. Loading the packages that the tests use takes ten times as long
// as the tests. Vitest evaluates the repository's own modules again for each test file, so that nothing mutated stays.
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Plugin } from "vitest/config";
import type { PoolOptions, PoolWorker, WorkerRequest } from "vitest/node";

type Listener = (argument: unknown) => void;
type Config = Extract<WorkerRequest, { type: "start" }>["context"]["config"];

type Kept = { readonly thread: Worker; isStarted: boolean; users: number };

let kept: Kept | undefined;

function findThread({ distPath, env, execArgv }: PoolOptions): Kept {
  if (kept !== undefined) return kept;
  const thread = new Worker(join(distPath, "workers/threads.js"), { env, execArgv });
  kept = { thread, isStarted: false, users: 0 };
  thread.on("exit", () => {
    if (kept?.thread === thread) kept = undefined;
  });
  return kept;
}

class KeptThread implements PoolWorker {
  readonly name = "kept-thread";
  readonly #options: PoolOptions;
  #listeners: readonly (readonly [string, Listener])[] = [];
  #config: Config | undefined;
  #isDone = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  on(event: string, listener: Listener): void {
    this.#listeners = [...this.#listeners, [event, listener]];
    findThread(this.#options).thread.on(event, listener);
  }

  off(event: string, listener: Listener): void {
    this.#listeners = this.#listeners.filter((one) => one[0] !== event || one[1] !== listener);
    kept?.thread.off(event, listener);
  }

  /** Tells the thread to start once, and never to stop. The settings, which change, go with each run instead. */
  send(message: WorkerRequest): void {
    const found = findThread(this.#options);
    if (message.type === "stop") {
      this.#isDone = true;
      this.#answer("stopped");
      return;
    }
    if (message.type === "start") {
      this.#config = message.context.config;
      if (found.isStarted) {
        this.#answer("started");
        return;
      }
      found.isStarted = true;
    }
    const isRun = message.type === "run" || message.type === "collect";
    found.thread.postMessage(
      isRun ? { ...message, context: { ...message.context, config: this.#config } } : message,
    );
  }

  #answer(type: "started" | "stopped"): void {
    for (const [event, listener] of this.#listeners)
      if (event === "message")
        queueMicrotask(() => {
          listener({ type, __vitest_worker_response__: true });
        });
  }

  async start(): Promise<void> {
    const found = findThread(this.#options);
    found.users += 1;
    found.thread.ref();
  }

  /** Ends a thread that was not asked to stop first: it is stuck. */
  async stop(): Promise<void> {
    for (const [event, listener] of this.#listeners) kept?.thread.off(event, listener);
    this.#listeners = [];
    if (kept === undefined) return;
    if (!this.#isDone) await kept.thread.terminate();
    // The next file may have begun already.
    else if ((kept.users -= 1) === 0) kept.thread.unref();
  }

  deserialize(data: unknown): unknown {
    return data;
  }
}

/** A plugin, because Stryker overrides the pool of the configuration. */
export const keepThread: Plugin = {
  name: "keep-thread",
  configureVitest({ project }) {
    const createPoolWorker = (options: PoolOptions): PoolWorker => new KeptThread(options);
    Object.assign(project.config, {
      ...{ pool: "kept-thread", poolRunner: { name: "kept-thread", createPoolWorker } },
    });
  },
};
