import { systemClock } from "@countersign/platform/clock";
import { restSurface } from "@countersign/platform/errors";
import {
  healthRoute,
  makeHealth,
  makeMetrics,
  operatorRoutes,
  type Health,
  type ServiceOptions,
} from "@countersign/platform/http";
import type { Log } from "@countersign/platform/log";
import { makePool, type Pool } from "@countersign/platform/pool";
import { makeNodes, type Nodes } from "./adapters/rpc/index.ts";
import { addEngineMetrics, addMetrics } from "./app-metrics.ts";
import { makeEngine } from "./engine.ts";
import type { Config } from "./config.ts";
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
    Object.entries(config.RPC_URLS).map(([id, urls]) => [
      Number(id),
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

async function closeAll(...parts: readonly { readonly close: () => Promise<void> }[]): Promise<void> {
  await Promise.all(parts.map((part) => part.close()));
}

/** The composition root. */
export function makeApp(config: Config, log: Log): App {
  const clock = systemClock;
  const metrics = makeMetrics("simulator");
  const pool = makeCapturePool(config, log);
  const engine = makeEngine(config, log);
  const nodes = makeAllNodes(config);
  let [isStarted, lies] = [false, 0];
  const probeWorkers = async (): Promise<void> => {
    if (!isStarted || !pool.isServing()) throw new Error("no worker is ready");
  };
  const optional = (name: string, run: () => Promise<void>) => ({ name, required: false, run });
  const chains = [...nodes].map(([id, { probe }]) => optional(`chain ${id}`, probe));
  const checks = [{ name: "workers", required: true, run: probeWorkers }, ...chains];
  const health = makeHealth({ clock, log, checks: [...checks, optional("second engine", engine.probe)] });
  addMetrics(metrics, pool, () => lies);
  addEngineMetrics(metrics, engine);
  const { RPC_TIMEOUT_MS: timeoutMs, CAPTURE_TIMEOUT_MS: deadlineMs, CAPTURE_CPU_MS: budgetMs } = config;
  const parts: CaptureParts = {
    ...{ nodes, pool, log, secondEngine: engine },
    limits: { timeoutMs, deadlineMs, budgetMs },
    hardforkOf: makeHardforkOf(config),
    onLie: () => {
      lies += 1;
    },
  };
  return {
    health,
    start: async () => {
      await Promise.all([pool.start(), engine.start()]);
      isStarted = true;
    },
    close: () => closeAll(pool, engine),
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
      isDraining: health.isDraining,
      ...{ log, metrics, clock },
    },
  };
}
