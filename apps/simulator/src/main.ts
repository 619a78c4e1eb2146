import { loadServiceConfig } from "@countersign/platform/config";
import { makeService } from "@countersign/platform/http";
import { makeLog } from "@countersign/platform/log";
import { runProcess } from "@countersign/platform/process";
import { withTracing } from "@countersign/platform/trace";
import { makeApp } from "./app.ts";
import { Config } from "./config.ts";

await runProcess("simulator", async () => {
  const config = loadServiceConfig(Config, process.env);
  const log = makeLog({ app: "simulator", level: config.LOG_LEVEL });
  return withTracing(config, { app: "simulator", log }, async () => {
    const { service, health, start, close } = makeApp(config, log);
    const fastify = await makeService(service);
    log.info("listening", { address: await fastify.listen({ host: config.HOST, port: config.PORT }) });
    await start().catch(async (error: unknown) => {
      await fastify.close();
      throw error;
    });
    return {
      drain: { seconds: config.DRAIN_SECONDS, start: health.startDraining },
      close: async () => {
        await fastify.close();
        await close();
      },
    };
  });
});
