/** The worker's side: runs one job at a time, in order of arrival. In a process it ends with the process that started it. */
import { getHeapStatistics } from "node:v8";
import { parentPort } from "node:worker_threads";
import type { FromWorker } from "./thread.ts";

type Worker<Job, Result, About> = {
  /** Facts about this worker that the main thread needs. */
  readonly about: About;
  readonly handle: (job: Job) => Result | Promise<Result>;
};

/** A process counts all its threads, those of native code as well. */
const cpuMs = (): number => {
  const { user, system } = parentPort === null ? process.cpuUsage() : process.threadCpuUsage();
  return (user + system) / 1000;
};

/**
 * A process counts what native code holds as well, which JavaScript does not see. A thread counts its own heap and buffers, because
 * the resident memory is that of the whole service.
 */
function countMb(): number {
  if (parentPort === null) return process.memoryUsage.rss() / 2 ** 20;
  const { used_heap_size: heap, external_memory: buffers } = getHeapStatistics();
  return (heap + buffers) / 2 ** 20;
}

export function serveJobs<Job, Result, About>({ about, handle }: Worker<Job, Result, About>): void {
  const send = (message: FromWorker<Result, About>): void => {
    if (parentPort === null) process.send?.(message);
    else parentPort.postMessage(message);
  };
  // The limit of a thread counts all of its memory, and that of a process what it grew by.
  const atStartMb = parentPort === null ? countMb() : 0;
  const used = () => ({ cpuMs: cpuMs(), heldMb: countMb() - atStartMb });
  const answer = async (job: Job): Promise<void> => {
    try {
      send({ kind: "done", result: await handle(job), ...used() });
    } catch (error) {
      send({ kind: "failed", error, ...used() });
    }
  };
  // The pool gives a worker its next job only after the answer, and `answer` does not reject.
  const onJob = (job: unknown): void => void answer(job as Job);
  if (parentPort === null) followParent(onJob);
  else parentPort.on("message", onJob);
  send({ kind: "ready", about, ...used() });
}

function followParent(onJob: (job: unknown) => void): void {
  process.on("message", onJob);
  process.on("disconnect", () => process.exit());
  // A signal to the whole group, such as Ctrl-C, must not end jobs that the parent waits for while it drains.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => undefined);
}
