import { serveFlows } from "@countersign/platform/engine";
import { makeService } from "@countersign/platform/http";
import type { Log } from "@countersign/platform/log";
import type { Running } from "@countersign/platform/process";
import { makeApp, type App } from "./app.ts";
import type { Config } from "./config.ts";

async function listen({ service }: App, config: Config, log: Log): Promise<Running> {
  const fastify = await makeService(service);
  log.info("listening", { address: await fastify.listen({ host: config.HOST, port: config.PORT }) });
  return { close: async () => fastify.close() };
}

/** Runs the flows for the engine. */
async function work({ flows }: App, config: Config, log: Log): Promise<readonly Running[]> {
  const [first, ...others] = config.ENGINE_IDENTITY_KEYS;
  if (first === undefined) {
    log.warn("ENGINE_IDENTITY_KEYS is not set: nudges are accepted, but this process verifies nothing");
    return [];
  }
  const worker = await serveFlows({
    app: "orion",
    flows,
    identityKeys: [first, ...others],
    host: config.WORKER_HOST,
    port: config.WORKER_PORT,
    log,
  });
  log.info("running flows", { address: `${config.WORKER_HOST}:${worker.port}` });
  return [worker];
}

/** Starts the whole service. It needs only its keys; all other dependencies may come later. */
export async function startApp(config: Config, log: Log): Promise<Running> {
  const app = makeApp(config, log);
  const { inbox, fingerprint } = await app.prepare();
  log.info("known by", { address: inbox, key: fingerprint });
  const running: readonly Running[] = [
    await listen(app, config, log),
    ...(await work(app, config, log)),
    ...app.startWatch(),
  ];
  return {
    drain: { seconds: config.DRAIN_SECONDS, start: app.startDraining },
    close: async () => {
      log.info("stopping");
      await Promise.all(running.map((one) => one.close()));
    },
  };
}
