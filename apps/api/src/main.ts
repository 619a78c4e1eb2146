import { loadServiceConfig } from "@countersign/platform/config";
import { armCrashPoints } from "@countersign/platform/crash";
import { makeLog } from "@countersign/platform/log";
import { runProcess } from "@countersign/platform/process";
import { withTracing } from "@countersign/platform/trace";
import { Config } from "./config.ts";
import { refuseInProduction } from "./config-production.ts";
import { startApp } from "./start.ts";

await runProcess("api", async () => {
  const config = loadServiceConfig(Config, process.env, refuseInProduction);
  armCrashPoints({ at: config.CRASH_AT, listTo: config.CRASH_LIST });
  const log = makeLog({ app: "api", level: config.LOG_LEVEL });
  const app = config.ROLE === "worker" ? "worker" : "api";
  return withTracing(config, { app, log }, () => startApp(config, log));
});
