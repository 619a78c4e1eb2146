import { randomBytes } from "node:crypto";
import { systemClock, type Clock } from "@countersign/platform/clock";
import { detailSurface, requestErrors } from "@countersign/platform/errors";
import {
  makeHealth,
  makeMetrics,
  operatorRoutes,
  type Health,
  type ServiceOptions,
} from "@countersign/platform/http";
import type { Log } from "@countersign/platform/log";
import { makeModelClient } from "./adapters/model/index.ts";
import { watchLists } from "./app-lists.ts";
import { addListMetrics, addPoolMetrics } from "./app-metrics.ts";
import type { Config } from "./config.ts";
import { healthRoutes, type Knowledge } from "./health/routes.ts";
import { parseLossless } from "./request/index.ts";
import { loadRegistry } from "./registry/index.ts";
import { makeReader } from "./proposals/index.ts";
import { makeBudget, makeSemantic } from "./semantic/index.ts";
import type { AboutEngine } from "./validate/check-worker.ts";
import { makeChecker } from "./validate/checker.ts";
import type { Reader } from "./validate/reader.ts";
import type { Semantic } from "./validate/semantic.ts";
import { validateRoutes } from "./validate/routes.ts";

/** Of the validator, as reports name it. A report with other members needs another one: replays compare all of them. */
export const version = "1.4";

export type App = {
  readonly service: ServiceOptions;
  readonly health: Health;
  /** Starts the workers, which load tables, lists and checks. Until then the service answers 503; if it fails, the process must end. */
  readonly load: () => Promise<AboutEngine>;
  /** Ends the workers. */
  readonly close: () => Promise<void>;
};

/** Integers in a body keep every digit. */
function parseJson(text: string): unknown {
  const parsed = parseLossless(text);
  if ("fault" in parsed) throw requestErrors.invalid({ message: `The body is ${parsed.fault}` });
  return parsed.value;
}

type Models = { readonly semantic: Semantic | null; readonly reader: Reader | null };

/** The language model the operator chose, or none: then nothing leaves this machine. Both uses share one budget. */
function makeModels(config: Config, clock: Clock, log: Log): Models {
  const { MODEL_URL, MODEL_ID, MODEL_KEY, MODEL_CALLS_PER_MINUTE, MODEL_CHECKS, MODEL_READER } = config;
  if (MODEL_URL === undefined || MODEL_ID === undefined) return { semantic: null, reader: null };
  const limits = { callsPerMinute: MODEL_CALLS_PER_MINUTE };
  const parts = {
    client: makeModelClient({ url: MODEL_URL, key: MODEL_KEY, model: MODEL_ID }),
    mayPay: makeBudget({ clock, perMinute: MODEL_CALLS_PER_MINUTE }),
    random: () => randomBytes(16).toString("hex"),
    clock,
    log,
  };
  return {
    semantic: MODEL_CHECKS ? makeSemantic({ ...parts, limits, registry: loadRegistry() }) : null,
    reader: MODEL_READER ? makeReader(parts) : null,
  };
}

/** The composition root. */
export function makeApp(config: Config, log: Log): App {
  const clock = systemClock;
  const metrics = makeMetrics("validator");
  const { semantic, reader } = makeModels(config, clock, log);
  const lists = watchLists(config, clock, log);
  const checker = makeChecker({ config, version, clock, log, semantic, reader, lists: lists.current });
  const knowledge = (): Knowledge | undefined => {
    const [about, opened] = [checker.about(), lists.opened()];
    if (about === undefined || opened === undefined) return undefined;
    return { about, lists: opened, listsProblem: lists.problem(), semantic };
  };
  const ready = async (): Promise<void> => {
    if (knowledge() === undefined || !checker.pools.ordinary.isServing()) throw requestErrors.notReady();
  };
  const checks = [{ name: "engine", required: true, run: ready }, lists.healthCheck];
  const health = makeHealth({ checks, clock, log });
  addPoolMetrics(metrics, checker);
  addListMetrics(metrics, { lists, clock, maxAgeDays: config.MAX_LIST_AGE_DAYS });
  return {
    health,
    load: async () => {
      // Fails before any thread is started.
      lists.load();
      const about = await checker.start();
      lists.watch();
      return about;
    },
    close: async () => {
      await lists.stop();
      await checker.close();
    },
    service: {
      title: "Countersign validator",
      description: "Checks that a transaction does what was requested, and nothing else.",
      version,
      baseUrl: `http://${config.HOST}:${config.PORT}`,
      routes: [
        ...validateRoutes({ checker }),
        ...healthRoutes({ health, version, knowledge }),
        ...operatorRoutes({ health, metrics }),
      ],
      surface: detailSurface,
      // Only our own services reach it.
      trustsCallers: true,
      isDraining: health.isDraining,
      parseJson,
      log,
      metrics,
      clock,
    },
  };
}
