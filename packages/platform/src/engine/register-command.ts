import { z } from "zod";
import { flag, loadConfig, webAddress } from "../config/index.ts";
import { makeLog } from "../log/index.ts";
import { registerFlows } from "./register-flows.ts";

/** Settings of every app's register command; each app adds the address of its worker. */
export const registerSettings = z.object({
  ENGINE_ADMIN_URL: webAddress()
    .prefault("http://127.0.0.1:19070")
    .describe("Where the engine takes registrations."),
  WORKER_URL: webAddress().describe(
    "Where the engine reaches the worker. A new version of changed flows gets a new address.",
  ),
  ENGINE_REGISTER_FORCE: flag()
    .prefault("false")
    .describe(
      "Replace what the engine knows of that address. For development only: work in flight whose steps changed fails.",
    ),
});

type Options = {
  readonly app: string;
  readonly settings: z.ZodObject<{
    [name in keyof typeof registerSettings.shape]: z.ZodType<z.output<(typeof registerSettings.shape)[name]>>;
  }>;
  readonly environment: Readonly<Record<string, string | undefined>>;
};

/** `npm run register -w apps/<app>`: registers the app's flows with the engine. Returns false on failure. */
export async function runRegister({ app, settings, environment }: Options): Promise<boolean> {
  const log = makeLog({ app, level: "info" });
  try {
    const config = loadConfig(settings, environment);
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
    return true;
  } catch (error) {
    log.error("not registered", { error });
    return false;
  }
}
