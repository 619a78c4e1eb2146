import { systemClock, type Clock } from "@countersign/platform/clock";
import { connectEngine, type Flow } from "@countersign/platform/engine";
import { restSurface } from "@countersign/platform/errors";
import {
  makeHealth,
  makeLocalLimiter,
  makeMetrics,
  makeSharedLimiter,
  operatorRoutes,
  type HealthCheck,
  type Limiter,
  type Metrics,
  type Route,
  type ServiceOptions,
} from "@countersign/platform/http";
import type { Log } from "@countersign/platform/log";
import { makeIdentity } from "./app-identity.ts";
import { baseUrlOf, type Config } from "./config.ts";
import { healthRoutes } from "./health/routes.ts";
import { connectDatabase } from "./platform/db/connect.ts";
import { makeFlows, makeFlowStore, type FlowStore, type Flows } from "./platform/flows/index.ts";

/** The version of the interface, which the specification fixes. */
const version = "1.0";

const about = {
  title: "Countersign",
  description:
    "Records proposed transactions with the words they were asked in, has them verified, and keeps what was decided.",
  version,
};

/** Everything the process is made of, wired but not yet listening. */
export type App = {
  readonly routes: readonly Route[];
  readonly durableFlows: readonly Flow[];
  readonly flows: Flows;
  /** What every listener of the service has in common. */
  readonly service: Omit<ServiceOptions, "routes">;
  /** What must be in the record before the first request. */
  readonly prepare: () => Promise<void>;
  readonly startDraining: () => void;
  readonly close: () => Promise<void>;
};

type Limits = {
  readonly limiter: Limiter;
  readonly checks: readonly HealthCheck[];
  readonly close: () => void;
};

/** Shared with other processes when there is a Redis; otherwise this process counts by itself. */
function chooseLimits({ REDIS_URL: redisUrl }: Config, clock: Clock, log: Log): Limits {
  if (redisUrl === undefined) return { limiter: makeLocalLimiter(clock), checks: [], close: () => undefined };
  const limiter = makeSharedLimiter({ redisUrl, app: "api", clock, log });
  // Not required: without Redis the limits still hold, in each process by itself.
  const check = { name: "limits", required: false, run: limiter.probe };
  return { limiter, checks: [check], close: limiter.close };
}

function measureFlows(store: FlowStore, metrics: Metrics): void {
  metrics.gauge("flows_waiting", "Durable work accepted and not yet with the engine.", () =>
    store.countByStatus("accepted"),
  );
  metrics.gauge("flows_running", "Durable work under way.", () => store.countByStatus("started"));
  metrics.gauge("flows_parked", "Durable work that gave up and waits for a person.", () =>
    store.countByStatus("parked"),
  );
}

/** The composition root: parts are made here, in reading order, and handed to whoever needs them. */
export function makeApp(config: Config, log: Log): App {
  const clock = systemClock;
  const baseUrl = baseUrlOf(config);
  const metrics = makeMetrics("api");

  const database = connectDatabase({ url: config.DATABASE_URL, poolSize: config.DATABASE_POOL_SIZE, log });
  metrics.gauge("database_connections", "Connections this process holds.", database.connections);

  const engine = connectEngine({ app: "api", ingressUrl: config.ENGINE_INGRESS_URL });
  const flowStore = makeFlowStore(database.db);
  const flows = makeFlows({ store: flowStore, engine, log });
  measureFlows(flowStore, metrics);

  const { limiter, ...limits } = chooseLimits(config, clock, log);
  const identity = makeIdentity({ config, db: database.db, clock, log, flowStore, flows, limiter });

  const health = makeHealth({
    clock,
    log,
    checks: [
      { name: "database", required: true, run: database.ping },
      // Not required: work is accepted without the engine and picked up when it is back.
      { name: "engine", required: false, run: engine.probe },
      ...limits.checks,
    ],
  });

  return {
    routes: [
      ...healthRoutes({ health, version, baseUrl }),
      ...identity.routes,
      ...operatorRoutes({ health, metrics }),
    ],
    durableFlows: [...identity.durableFlows],
    flows,
    service: {
      ...about,
      baseUrl,
      surface: restSurface,
      log,
      metrics,
      clock,
      limiter,
      authenticators: identity.authenticators,
      uiOrigin: new URL(config.UI_URL).origin,
      trustedProxies: config.TRUSTED_PROXIES,
    },
    prepare: identity.prepare,
    startDraining: health.startDraining,
    close: async () => {
      limits.close();
      await database.close();
    },
  };
}
