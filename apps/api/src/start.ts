import { serveFlows } from "@countersign/platform/engine";
import { makeService, type Route } from "@countersign/platform/http";
import type { Log } from "@countersign/platform/log";
import type { Running } from "@countersign/platform/process";
import { makeApp, type App } from "./composition/app.ts";
import { keyEnvironmentOf, type Config } from "./config.ts";
import { prepareDatabase } from "./platform/db/prepare.ts";
import { startSweeper } from "./platform/flows/index.ts";

const isInternal = ({ listener }: Route): boolean => listener === "internal";

async function closeAll(all: readonly { readonly close: () => PromiseLike<unknown> }[]): Promise<void> {
  await Promise.all(all.map((one) => one.close()));
}

/** The endpoints of a process that only an orchestrator and Prometheus call. */
const operatorPaths = new Set(["/ready", "/metrics"]);

type Listener = { readonly port: number; readonly routes: readonly Route[] };

/** The clients' listener, unless the process only works, and a second one if the internal endpoints have their own port. */
function listenersOf(
  { routes }: App,
  { ROLE: role, PORT: port, INTERNAL_PORT: internal }: Config,
): Listener[] {
  const isWorker = role === "worker";
  const clients = internal === undefined ? routes : routes.filter((route) => !isInternal(route));
  const apart = routes.filter((route) => operatorPaths.has(route.path) || (!isWorker && isInternal(route)));
  return [
    ...(isWorker ? [] : [{ port, routes: clients }]),
    ...(internal === undefined ? [] : [{ port: internal, routes: apart }]),
  ];
}

async function listen(app: App, config: Config, log: Log): Promise<Running> {
  const listeners = listenersOf(app, config);
  const services = await Promise.all(listeners.map(({ routes }) => makeService({ ...app.service, routes })));
  for (const [index, service] of services.entries()) {
    const address = await service.listen({ host: config.HOST, port: listeners[index]?.port ?? 0 });
    log.info("listening", { address });
  }
  return { close: () => closeAll(services) };
}

/** Runs the durable flows for the engine, and retries stalled ones. */
async function work(app: App, config: Config, log: Log): Promise<Running> {
  const { stop } = startSweeper(app, { everyMs: config.SWEEP_EVERY_MS, log });
  const beside: readonly Running[] = [{ close: stop }, ...app.startWork()];
  const [first, ...others] = config.ENGINE_IDENTITY_KEYS;
  if (first === undefined) {
    log.warn(
      "ENGINE_IDENTITY_KEYS is not set: durable work is accepted and stored, but this process does not run it",
    );
    return { close: () => closeAll(beside) };
  }
  const worker = await serveFlows({
    app: "api",
    flows: app.durableFlows,
    identityKeys: [first, ...others],
    host: config.WORKER_HOST,
    port: config.WORKER_PORT,
    log,
  });
  log.info("running flows", { address: `${config.WORKER_HOST}:${worker.port}` });
  return { close: () => closeAll([...beside, worker]) };
}

/** Starts the whole service. It needs only the database; all other dependencies may come later. */
export async function startApp(config: Config, log: Log): Promise<Running> {
  await prepareDatabase({
    url: config.DATABASE_URL,
    migrationUrl: config.DATABASE_MIGRATION_URL,
    isStrict: keyEnvironmentOf(config) === "live",
    log,
  });
  const app = makeApp(config, log);
  await app.prepare();
  const running = [
    await listen(app, config, log),
    ...(config.ROLE === "http" ? [] : [await work(app, config, log)]),
  ];
  return {
    drain: { seconds: config.DRAIN_SECONDS, start: app.startDraining },
    close: async () => {
      log.info("stopping");
      app.endWaits();
      await closeAll(running);
      await app.close();
    },
  };
}
