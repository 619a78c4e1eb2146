import { systemClock } from "@countersign/platform/clock";
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
import type { Config } from "./config.ts";
import { healthRoutes } from "./health/routes.ts";
import { parseLossless } from "./request/index.ts";
import type { Engine } from "./validate/engine.ts";
import { loadEngine } from "./validate/load-engine.ts";
import { validateRoutes } from "./validate/routes.ts";

const version = "1.0";

export type App = {
  readonly service: ServiceOptions;
  readonly health: Health;
  /** Loads tables, lists and checks. Until it is done the service answers 503; if it fails, the process must not go on. */
  readonly load: () => Promise<Engine>;
};

/** Integers in a body keep every digit. */
function parseJson(text: string): unknown {
  const parsed = parseLossless(text);
  if ("fault" in parsed) throw requestErrors.invalid({ message: `The body is ${parsed.fault}` });
  return parsed.value;
}

/** The language model the operator chose, or none: then nothing leaves this machine. */
const modelOf = ({ MODEL_URL, MODEL_ID, MODEL_KEY, MODEL_CALLS_PER_MINUTE }: Config) =>
  MODEL_URL === undefined || MODEL_ID === undefined
    ? null
    : {
        client: makeModelClient({ url: MODEL_URL, key: MODEL_KEY, model: MODEL_ID }),
        limits: { callsPerMinute: MODEL_CALLS_PER_MINUTE },
      };

/** The composition root. */
export function makeApp(config: Config, log: Log): App {
  const clock = systemClock;
  const metrics = makeMetrics("validator");
  let engine: Engine | undefined;
  const ready = async (): Promise<void> => {
    if (engine === undefined) throw requestErrors.notReady();
  };
  const health = makeHealth({ checks: [{ name: "engine", required: true, run: ready }], clock, log });
  const get = (): Engine | undefined => engine;
  return {
    health,
    load: async () => {
      engine = await loadEngine({ config, version, clock, log, model: modelOf(config) });
      return engine;
    },
    service: {
      title: "Countersign validator",
      description: "Judges whether a transaction does what the words say, and nothing else.",
      version,
      baseUrl: `http://${config.HOST}:${config.PORT}`,
      routes: [
        ...validateRoutes({ engine: get }),
        ...healthRoutes({ health, version, engine: get }),
        ...operatorRoutes({ health, metrics }),
      ],
      surface: detailSurface,
      parseJson,
      log,
      metrics,
      clock,
    },
  };
}
