import { systemClock } from "@countersign/platform/clock";
import { detailSurface } from "@countersign/platform/errors";
import {
  makeHealth,
  makeMetrics,
  operatorRoutes,
  type Health,
  type ServiceOptions,
} from "@countersign/platform/http";
import type { Log } from "@countersign/platform/log";
import type { Config } from "./config.ts";
import { healthRoutes } from "./health/routes.ts";

const version = "1.0";

export type App = { readonly service: ServiceOptions; readonly health: Health };

/** The composition root. The checks, and POST /validate, which runs them, come with their own issue. */
export function makeApp(config: Config, log: Log): App {
  const clock = systemClock;
  const metrics = makeMetrics("validator");
  const health = makeHealth({ checks: [], clock, log });
  return {
    health,
    service: {
      title: "Countersign validator",
      description: "Judges whether a transaction does what the words say, and nothing else.",
      version,
      baseUrl: `http://${config.HOST}:${config.PORT}`,
      routes: [...healthRoutes({ health, version }), ...operatorRoutes({ health, metrics })],
      surface: detailSurface,
      log,
      metrics,
      clock,
    },
  };
}
