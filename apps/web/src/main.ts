import { resolve } from "node:path";
import { loadServiceConfig } from "@countersign/platform/config";
import { makeLog } from "@countersign/platform/log";
import { runProcess } from "@countersign/platform/process";
import { withTracing } from "@countersign/platform/trace";
import { Config } from "./config.ts";
import { arePagesBuilt } from "./server/routes.pages.ts";
import { makeServer } from "./server/routes.ts";

const appRoot = resolve(import.meta.dirname, "..");

await runProcess("web", async () => {
  const config = loadServiceConfig(Config, process.env);
  const log = makeLog({ app: "web", level: config.LOG_LEVEL });
  const pages = resolve(appRoot, config.PAGES_DIR);
  if (!arePagesBuilt(pages))
    log.error("web app not built: /ready answers 503 until npm run build -w apps/web has run", {
      address: pages,
    });
  return withTracing(config, { app: "web", log }, async () => {
    const { server, startDraining } = await makeServer({ config, log, pages });
    log.info("listening", { address: await server.listen({ host: config.HOST, port: config.PORT }) });
    return {
      drain: { seconds: config.DRAIN_SECONDS, start: startDraining },
      close: async () => {
        log.info("stopping");
        await server.close();
      },
    };
  });
});
