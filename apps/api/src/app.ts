import { systemClock } from "@countersign/platform/clock";
import { connectEngine, type Flow } from "@countersign/platform/engine";
import { restSurface } from "@countersign/platform/errors";
import {
  makeHealth,
  makeMetrics,
  operatorRoutes,
  type Route,
  type ServiceOptions,
} from "@countersign/platform/http";
import type { Log } from "@countersign/platform/log";
import { baseUrlOf, type Config } from "./config.ts";
import { healthRoutes } from "./health/routes.ts";
import { connectDatabase } from "./platform/db/connect.ts";
import { makeFlows, makeFlowStore, type Flows } from "./platform/flows/index.ts";

/** The version of the interface, which the specification fixes. */
const version = "1.0";

/** Everything the process is made of, wired but not yet listening. */
export type App = {
  readonly routes: readonly Route[];
  readonly durableFlows: readonly Flow[];
  readonly flows: Flows;
  /** What every listener of the service has in common. */
  readonly service: Omit<ServiceOptions, "routes">;
  readonly startDraining: () => void;
  readonly close: () => Promise<void>;
};

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
  metrics.gauge("flows_waiting", "Durable work accepted and not yet with the engine.", () =>
    flowStore.countByStatus("accepted"),
  );
  metrics.gauge("flows_running", "Durable work under way.", () => flowStore.countByStatus("started"));
  metrics.gauge("flows_parked", "Durable work that gave up and waits for a person.", () =>
    flowStore.countByStatus("parked"),
  );
  // The slices' flows are listed here as they come.
  const durableFlows: readonly Flow[] = [];

  const health = makeHealth({
    clock,
    log,
    checks: [
      { name: "database", required: true, run: database.ping },
      // Not required: work is accepted without the engine and picked up when it is back.
      { name: "engine", required: false, run: engine.probe },
    ],
  });

  return {
    routes: [...healthRoutes({ health, version, baseUrl }), ...operatorRoutes({ health, metrics })],
    durableFlows,
    flows,
    service: {
      title: "Countersign",
      description:
        "Records proposed transactions with the words they were asked in, has them verified, and keeps what was decided.",
      version,
      baseUrl,
      surface: restSurface,
      log,
      metrics,
      clock,
      uiOrigin: new URL(config.UI_URL).origin,
      trustedProxies: config.TRUSTED_PROXIES,
    },
    startDraining: health.startDraining,
    close: database.close,
  };
}
