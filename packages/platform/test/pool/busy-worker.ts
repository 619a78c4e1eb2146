/** A worker that uses a given amount of CPU time, for tests of the pool. */
import { threadId, workerData } from "node:worker_threads";
import { serveJobs } from "../../src/pool/serve-jobs.ts";

export type BusyJob =
  | { readonly do: "echo"; readonly text: string }
  | { readonly do: "spin"; readonly cpuMs: number }
  /** Waits without using CPU, like a machine that is busy with other work. */
  | { readonly do: "sleep"; readonly ms: number }
  /** Takes memory outside of JavaScript for ever, and says which worker took how much of it in all. */
  | { readonly do: "keep"; readonly mb: number }
  | { readonly do: "throw" | "exit" | "fill_memory" | "fill_buffers" | "pid" };

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

const kept: Buffer[] = [];

function keep(mb: number): string {
  for (let at = 0; at < mb; at += 1) kept.push(Buffer.alloc(2 ** 20, 1));
  return `${process.pid}.${threadId} ${kept.length}`;
}

function work(job: BusyJob): string {
  if (job.do === "echo") return job.text;
  if (job.do === "pid") return String(process.pid);
  if (job.do === "keep") return keep(job.mb);
  if (job.do === "spin") for (const end = cpuMs() + job.cpuMs; cpuMs() < end;);
  if (job.do === "sleep") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, job.ms);
  if (job.do === "throw") throw new Error("the job failed");
  if (job.do === "exit") process.exit(3);
  if (job.do === "fill_memory")
    for (const filled: number[][] = []; ;) filled.push(new Array<number>(100_000).fill(1.5));
  if (job.do === "fill_buffers") keep(2_000);
  return job.do;
}

const { failToStart } = (workerData ?? {}) as { readonly failToStart?: string };
if (failToStart !== undefined) throw new Error(failToStart);
serveJobs<BusyJob, string, string>({ about: "busy", handle: work });
