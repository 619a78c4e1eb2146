import type { FastifyInstance } from "fastify";
import type { Clock } from "../src/clock.ts";
import { restSurface } from "../src/errors/index.ts";
import { makeLog, type Log } from "../src/log/index.ts";
import { makeMetrics } from "../src/http/metrics.ts";
import type { Route } from "../src/http/route.ts";
import { makeService, type ServiceOptions } from "../src/http/service.ts";

export type LogLine = Readonly<Record<string, unknown>>;

/** A log whose lines a test can read, through the real allow-list and redaction. */
export function aLog(): {
  readonly log: Log;
  readonly lines: () => readonly LogLine[];
  readonly text: () => string;
} {
  const written: string[] = [];
  const log = makeLog({ app: "test", level: "debug", to: { write: (line) => void written.push(line) } });
  return {
    log,
    lines: () => written.map((line) => JSON.parse(line) as LogLine),
    text: () => written.join(""),
  };
}

export const aClock = (at = "2026-01-01T00:00:00Z"): Clock & { readonly move: (ms: number) => void } => {
  let now = Date.parse(at);
  return {
    now: () => new Date(now),
    move: (ms) => {
      now += ms;
    },
  };
};

/** A service of the given routes, on no network: requests are injected. */
export const aService = (
  routes: readonly Route[],
  options: Partial<ServiceOptions> = {},
): Promise<FastifyInstance> =>
  makeService({
    title: "Test",
    description: "A service for a test.",
    version: "1.0",
    baseUrl: "http://localhost",
    surface: restSurface,
    log: aLog().log,
    metrics: makeMetrics("test"),
    uiOrigin: "https://ui.example",
    ...options,
    routes,
  });
