import { fileURLToPath } from "node:url";
import { loadConfig } from "@countersign/platform/config";
import { makeLog } from "@countersign/platform/log";
import { runProcess } from "@countersign/platform/process";
import { Config } from "./config.ts";
import { makeServer } from "./server/routes.ts";

const pages = fileURLToPath(new URL("../dist", import.meta.url));

await runProcess("web", async () => {
  const config = loadConfig(Config, process.env);
  const log = makeLog({ app: "web", level: config.LOG_LEVEL });
  const server = await makeServer({ config, log, pages });
  log.info("listening", { address: await server.listen({ host: config.HOST, port: config.PORT }) });
  return {
    close: async () => {
      log.info("stopping");
      await server.close();
    },
  };
});
