// npm run admin -w apps/orion -- init: creates the keys that do not exist, registers the service on the home chain and, if
// ENGINE_ADMIN_URL and WORKER_URL are set, its flows with the engine. Idempotent.
import { registerFlows, registerSettings } from "@countersign/platform/engine";
import { loadConfig, type Environment } from "@countersign/platform/config";
import type { Log } from "@countersign/platform/log";
import { Config } from "../config.ts";
import { manageKeys } from "./keys.ts";
import { manageService } from "./service.ts";

type Parts = {
  readonly environment: Environment;
  readonly log: Log;
  readonly print: (line: string) => void;
};

const EngineConfig = registerSettings.partial();

async function registerWorker({ environment, print }: Parts): Promise<void> {
  const { ENGINE_ADMIN_URL: adminUrl, WORKER_URL: workerUrl } = loadConfig(EngineConfig, environment);
  if (adminUrl === undefined || workerUrl === undefined) {
    print("Worker not registered: set ENGINE_ADMIN_URL and WORKER_URL once orion runs, and repeat.");
    return;
  }
  const { services } = await registerFlows({ adminUrl, workerUrl, force: false });
  print(`${workerUrl} is registered with the engine (${services.join(", ")}).`);
}

export async function initialise(parts: Parts): Promise<true> {
  const { environment, log, print } = parts;
  await manageKeys({ settings: loadConfig(Config, environment), log, print: () => undefined }, "create");
  await manageService({ environment, log, print }, "register");
  await registerWorker(parts);
  return true;
}
