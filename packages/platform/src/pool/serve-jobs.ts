/** The worker's side: runs one job at a time, in order of arrival. */
import { parentPort } from "node:worker_threads";
import type { FromWorker } from "./thread.ts";

type Worker<Job, Result, About> = {
  /** Facts about this worker that the main thread needs. */
  readonly about: About;
  readonly handle: (job: Job) => Result | Promise<Result>;
};

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

export function serveJobs<Job, Result, About>({ about, handle }: Worker<Job, Result, About>): void {
  const send = (message: FromWorker<Result, About>): void => parentPort?.postMessage(message);
  const answer = async (job: Job): Promise<void> => {
    try {
      send({ kind: "done", result: await handle(job), cpuMs: cpuMs() });
    } catch (error) {
      send({ kind: "failed", error, cpuMs: cpuMs() });
    }
  };
  // The pool gives a thread its next job only after the answer, and `answer` does not reject.
  parentPort?.on("message", (job: Job) => void answer(job));
  send({ kind: "ready", about, cpuMs: cpuMs() });
}
