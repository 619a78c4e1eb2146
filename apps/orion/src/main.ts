import { loadServiceConfig } from "@countersign/platform/config";
import { armCrashPoints } from "@countersign/platform/crash";
import { makeLog } from "@countersign/platform/log";
import { runProcess } from "@countersign/platform/process";
import { withTracing } from "@countersign/platform/trace";
import { Config } from "./config.ts";
import { refuseInProduction } from "./config-production.ts";
import { startApp } from "./start.ts";

await runProcess("orion", async () => {
  const config = loadServiceConfig(Config, process.env, refuseInProduction);
  armCrashPoints({ at: config.CRASH_AT, listTo: config.CRASH_LIST });
  const log = makeLog({ app: "orion", level: config.LOG_LEVEL });
  return withTracing(config, { app: "orion", log }, () => startApp(config, log));
});
