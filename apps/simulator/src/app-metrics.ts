import type { Metrics } from "@countersign/platform/http";
import type { SecondEngine } from "./second-engine/index.ts";

type Workers = {
  readonly waiting: () => number;
  readonly threads: () => number;
  readonly endedThreads: () => number;
  readonly replacedThreads: () => number;
};

type Engine = Pick<SecondEngine, "counts"> & {
  readonly endedProcesses: () => number;
  readonly replacedProcesses: () => number;
  readonly heldMb: () => number;
};

export function addMetrics(metrics: Metrics, pool: Workers, lies: () => number): void {
  metrics.gauge("capture_waiting", "Captures that wait for a worker.", pool.waiting);
  metrics.gauge("capture_workers", "Workers that can capture.", pool.threads);
  metrics.counter(
    "capture_workers_ended_total",
    "Workers that were ended over their budget.",
    pool.endedThreads,
  );
  metrics.counter(
    "capture_workers_replaced_total",
    "Workers that were replaced because of the memory that they kept between captures.",
    pool.replacedThreads,
  );
  metrics.counter("capture_unproven_total", "Answers of nodes that their own block contradicts.", lies);
}

export function addEngineMetrics(
  metrics: Metrics,
  { counts, endedProcesses, replacedProcesses, heldMb }: Engine,
): void {
  metrics.counter("second_engine_agree_total", "Runs in which both engines agree.", counts.agree);
  metrics.counter("second_engine_differs_total", "Runs in which the engines differ.", counts.differs);
  metrics.counter(
    "second_engine_cannot_total",
    "Runs about which the second engine cannot tell.",
    counts.cannot,
  );
  metrics.counter(
    "second_engine_ended_total",
    "Processes of the second engine that were ended over their budget.",
    endedProcesses,
  );
  metrics.counter(
    "second_engine_replaced_total",
    "Processes of the second engine that were replaced because of the memory that they kept between runs.",
    replacedProcesses,
  );
  metrics.gauge(
    "second_engine_held_bytes",
    "Memory that a process of the second engine keeps between runs, without what it has at its start.",
    () => Math.round(heldMb() * 2 ** 20),
  );
}
