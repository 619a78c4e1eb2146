/** The worker's side: one job at a time, answered in the order in which they came. */
import { parentPort } from "node:worker_threads";
import type { FromWorker } from "./thread.ts";

type Worker<Job, Result, About> = {
  /** What the main thread has to know of this worker. */
  readonly about: About;
  readonly handle: (job: Job) => Result;
};

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

export function serveJobs<Job, Result, About>({ about, handle }: Worker<Job, Result, About>): void {
  const send = (message: FromWorker<Result, About>): void => parentPort?.postMessage(message);
  parentPort?.on("message", (job: Job) => {
    try {
      send({ kind: "done", result: handle(job), cpuMs: cpuMs() });
    } catch (error) {
      send({ kind: "failed", error, cpuMs: cpuMs() });
    }
  });
  send({ kind: "ready", about, cpuMs: cpuMs() });
}
