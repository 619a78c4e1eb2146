import { loadConfig } from "@countersign/platform/config";
import { makeService } from "@countersign/platform/http";
import { makeLog } from "@countersign/platform/log";
import { runProcess } from "@countersign/platform/process";
import { makeApp } from "./app.ts";
import { Config } from "./config.ts";

await runProcess("validator", async () => {
  const config = loadConfig(Config, process.env);
  const log = makeLog({ app: "validator", level: config.LOG_LEVEL });
  const { service, health, load } = makeApp(config, log);
  const fastify = await makeService(service);
  log.info("listening", { address: await fastify.listen({ host: config.HOST, port: config.PORT }) });
  // Whoever asks before this is done is told to come again; a missing check ends the process here.
  const { nodes } = await load().catch(async (error: unknown) => {
    await fastify.close();
    throw error;
  });
  log.info("ready to judge", { count: nodes.length });
  return {
    close: async () => {
      health.startDraining();
      await fastify.close();
    },
  };
});
