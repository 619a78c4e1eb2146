import { loadConfig } from "@countersign/platform/config";
import { registerFlows } from "@countersign/platform/engine";
import { makeLog } from "@countersign/platform/log";
import { RegisterConfig } from "./config.ts";

// npm run register -w apps/orion: tells the engine where this app's flows are.
const log = makeLog({ app: "orion", level: "info" });
try {
  const config = loadConfig(RegisterConfig, process.env);
  const { deployment, services } = await registerFlows({
    adminUrl: config.ENGINE_ADMIN_URL,
    workerUrl: config.WORKER_URL,
    force: config.ENGINE_REGISTER_FORCE,
  });
  log.info("registered with the engine", {
    deployment,
    address: config.WORKER_URL,
    reason: services.join(", "),
  });
} catch (error) {
  log.error("not registered", { error });
  process.exitCode = 1;
}
