import { systemClock } from "@countersign/platform/clock";
import { restSurface } from "@countersign/platform/errors";
import {
  healthRoute,
  makeHealth,
  makeMetrics,
  operatorRoutes,
  type Health,
  type Metrics,
  type ServiceOptions,
} from "@countersign/platform/http";
import type { Log } from "@countersign/platform/log";
import { makePool, type Pool } from "@countersign/platform/pool";
import { makeNodes, type Nodes } from "./adapters/rpc/index.ts";
import { nodesOf, type Config } from "./config.ts";
import type { CaptureParts } from "./states/capture-state.ts";
import type { CaptureJob, CaptureResult } from "./states/capture-worker.ts";
import { stateRoutes } from "./states/routes.ts";

const version = "1.0";
const maxWaitMs = 10_000;
const memoryMb = 256;

export type App = {
  readonly service: ServiceOptions;
  readonly health: Health;
  /** Starts the workers. */
  readonly start: () => Promise<unknown>;
  readonly close: () => Promise<void>;
};

type CapturePool = Pool<CaptureJob, CaptureResult, null>;

const makeCapturePool = (config: Config, log: Log): CapturePool =>
  makePool({
    name: "capture",
    file: new URL("states/capture-worker.ts", import.meta.url),
    dataFor: () => null,
    size: config.CAPTURE_WORKERS,
    queue: config.CAPTURE_QUEUE,
    ...{ maxWaitMs, memoryMb, log },
  });

/** The nodes of each configured chain. Nothing is requested yet. */
function makeAllNodes(config: Config): ReadonlyMap<number, Nodes> {
  const { MIN_NODES: minNodes, RPC_TIMEOUT_MS: timeoutMs } = config;
  return new Map(
    [...nodesOf(config)].map(([id, urls]) => [
      id,
      makeNodes({ urls, minNodes, timeoutMs, clock: systemClock }),
    ]),
  );
}

function makeHardforkOf({ PRAGUE_CHAINS }: Config): CaptureParts["hardforkOf"] {
  const prague = new Set(PRAGUE_CHAINS.map(Number));
  return (chainId, { hasRequests }) => {
    if (!hasRequests) return "cancun";
    return prague.has(chainId) ? "prague" : "osaka";
  };
}

function addMetrics(metrics: Metrics, pool: CapturePool, lies: () => number): void {
  metrics.gauge("capture_waiting", "Captures that wait for a worker.", pool.waiting);
  metrics.gauge("capture_workers", "Workers that can capture.", pool.threads);
  metrics.counter(
    "capture_workers_ended_total",
    "Workers that were ended over their budget.",
    pool.endedThreads,
  );
  metrics.counter("capture_unproven_total", "Answers of nodes that their own block contradicts.", lies);
}

/** The composition root. */
export function makeApp(config: Config, log: Log): App {
  const clock = systemClock;
  const metrics = makeMetrics("simulator");
  const pool = makeCapturePool(config, log);
  const nodes = makeAllNodes(config);
  let [isStarted, lies] = [false, 0];
  const probeWorkers = async (): Promise<void> => {
    if (!isStarted || !pool.isServing()) throw new Error("no worker is ready");
  };
  const chains = [...nodes].map(([id, { probe }]) => ({ name: `chain ${id}`, required: false, run: probe }));
  const health = makeHealth({
    ...{ clock, log },
    checks: [{ name: "workers", required: true, run: probeWorkers }, ...chains],
  });
  addMetrics(metrics, pool, () => lies);
  const { RPC_TIMEOUT_MS: timeoutMs, CAPTURE_TIMEOUT_MS: deadlineMs, CAPTURE_CPU_MS: budgetMs } = config;
  const parts: CaptureParts = {
    ...{ nodes, pool, log },
    limits: { timeoutMs, deadlineMs, budgetMs },
    hardforkOf: makeHardforkOf(config),
    onLie: () => {
      lies += 1;
    },
  };
  return {
    health,
    start: async () => {
      await pool.start();
      isStarted = true;
    },
    close: pool.close,
    service: {
      title: "Countersign simulator",
      description: "Captures the proven part of a chain's state that a transaction reads.",
      version,
      baseUrl: `http://${config.HOST}:${config.PORT}`,
      routes: [
        ...stateRoutes(parts),
        healthRoute({ health, version }),
        ...operatorRoutes({ health, metrics }),
      ],
      surface: restSurface,
      // Only our own services reach it.
      trustsCallers: true,
      ...{ log, metrics, clock },
    },
  };
}
