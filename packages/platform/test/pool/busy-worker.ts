/** A worker that uses a given amount of CPU time, for tests of the pool. */
import { workerData } from "node:worker_threads";
import { serveJobs } from "../../src/pool/serve-jobs.ts";

export type BusyJob =
  | { readonly do: "echo"; readonly text: string }
  | { readonly do: "spin"; readonly cpuMs: number }
  /** Waits without using CPU, like a machine that is busy with other work. */
  | { readonly do: "sleep"; readonly ms: number }
  | { readonly do: "throw" | "exit" | "fill_memory" };

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

function work(job: BusyJob): string {
  if (job.do === "echo") return job.text;
  if (job.do === "spin") for (const end = cpuMs() + job.cpuMs; cpuMs() < end;);
  if (job.do === "sleep") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, job.ms);
  if (job.do === "throw") throw new Error("the job failed");
  if (job.do === "exit") process.exit(3);
  if (job.do === "fill_memory")
    for (const kept: number[][] = []; ;) kept.push(new Array<number>(100_000).fill(1.5));
  return job.do;
}

const { failToStart } = workerData as { readonly failToStart?: string };
if (failToStart !== undefined) throw new Error(failToStart);
serveJobs<BusyJob, string, string>({ about: "busy", handle: work });
