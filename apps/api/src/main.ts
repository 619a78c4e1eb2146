import { loadServiceConfig } from "@countersign/platform/config";
import { armCrashPoints } from "@countersign/platform/crash";
import { makeLog } from "@countersign/platform/log";
import { runProcess } from "@countersign/platform/process";
import { Config } from "./config.ts";
import { refuseInProduction } from "./config-production.ts";
import { startApp } from "./start.ts";

await runProcess("api", async () => {
  const config = loadServiceConfig(Config, process.env, refuseInProduction);
  armCrashPoints({ at: config.CRASH_AT, listTo: config.CRASH_LIST });
  return startApp(config, makeLog({ app: "api", level: config.LOG_LEVEL }));
});
