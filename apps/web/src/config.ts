import { z } from "zod";
import { list, port, text, webAddress } from "@countersign/platform/config";
import { logLevels } from "@countersign/platform/log";
import { drainSettings } from "@countersign/platform/process";
import { traceSettings } from "@countersign/platform/trace";

/** All settings of apps/web. Defaults match `npm run dev` and are safe: the server listens on localhost only. */
export const Config = z.object({
  HOST: text().default("127.0.0.1").describe("Address the web app listens on."),
  PORT: port().default(5173).describe("Port of the web app."),
  API_URL: webAddress()
    .prefault("http://127.0.0.1:3000")
    .meta({ inProduction: "required", description: "Where this server reaches the main service." }),
  PUBLIC_API_URL: webAddress()
    .optional()
    .describe("The BASE_URL of the main service, for which owners sign their requests. Without it, API_URL."),
  UI_URL: webAddress().optional().meta({
    inProduction: "required",
    description:
      "Where browsers reach the web app; also the UI_URL of the main service. If it is https, so are the cookies.",
  }),
  PAGES_DIR: text()
    .default("dist")
    .describe("The folder of the built pages. A relative path is resolved against apps/web."),
  TRUSTED_PROXIES: list()
    .prefault("")
    .describe("IP addresses or ranges of proxies whose X-Forwarded-For is trusted, separated by commas."),
  LOG_LEVEL: z.enum(logLevels).default("info").describe("Minimum level of log lines."),
  ...drainSettings,
  ...traceSettings,
});

export type Config = z.output<typeof Config>;

export const publicApiUrlOf = ({ PUBLIC_API_URL, API_URL }: Config): string => PUBLIC_API_URL ?? API_URL;

export const isSecure = ({ UI_URL }: Config): boolean => UI_URL?.startsWith("https:") === true;
