import { loadConfig } from "@countersign/platform/config";
import { makeService } from "@countersign/platform/http";
import { makeLog } from "@countersign/platform/log";
import { runProcess } from "@countersign/platform/process";
import { withTracing } from "@countersign/platform/trace";
import { makeApp } from "./app.ts";
import { Config } from "./config.ts";

await runProcess("validator", async () => {
  const config = loadConfig(Config, process.env);
  const log = makeLog({ app: "validator", level: config.LOG_LEVEL });
  return withTracing(config, { app: "validator", log }, async () => {
    const { service, health, load, close } = makeApp(config, log);
    const fastify = await makeService(service);
    log.info("listening", { address: await fastify.listen({ host: config.HOST, port: config.PORT }) });
    // Requests before this is done are answered 503; a missing check or a broken list ends the process here.
    const { checks } = await load().catch(async (error: unknown) => {
      await fastify.close();
      throw error;
    });
    log.info("workers ready", { count: checks });
    return {
      drain: { seconds: config.DRAIN_SECONDS, start: health.startDraining },
      close: async () => {
        await fastify.close();
        await close();
      },
    };
  });
});
