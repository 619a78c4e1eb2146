import { z } from "zod";
import { flag, list, port, text, webAddress, wholeNumber } from "@countersign/platform/config";
import { logLevels } from "@countersign/platform/log";

/** Everything apps/api can be told. Defaults are those of `npm run dev`, and safe: nothing listens beyond this machine. */
export const Config = z.object({
  HOST: text().default("127.0.0.1").describe("Address the service listens on."),
  PORT: port().default(3000).describe("Port of the service."),
  INTERNAL_PORT: port()
    .optional()
    .describe(
      "Port of a second listener for /metrics and /internal/*, which then leave the main one. Recommended in production.",
    ),
  BASE_URL: webAddress()
    .optional()
    .describe("Where clients reach the service. Without it, the address it listens on."),
  UI_URL: webAddress()
    .prefault("http://127.0.0.1:5173")
    .describe("Where the web app is. Its pages may call every endpoint."),
  TRUSTED_PROXIES: list()
    .prefault("")
    .describe("Addresses or ranges of proxies whose X-Forwarded-For is believed, separated by commas."),
  LOG_LEVEL: z.enum(logLevels).default("info").describe("Least severe log lines that are written."),
  DATABASE_URL: text().default("postgres://postgres@127.0.0.1:15432/countersign").meta({
    secret: true,
    description: "The PostgreSQL database, version 15 or later. The service migrates it at its start.",
  }),
  DATABASE_POOL_SIZE: wholeNumber()
    .min(1)
    .default(10)
    .describe("Most connections this process opens to the database."),
  ROLE: z
    .enum(["all", "http", "worker"])
    .default("all")
    .describe("What this process does: answer requests (http), run durable flows (worker), or both (all)."),
  ENGINE_INGRESS_URL: webAddress()
    .prefault("http://127.0.0.1:18080")
    .describe("Where the durable-execution engine takes calls. It may be away; work is accepted without it."),
  ENGINE_IDENTITY_KEYS: list()
    .prefault("")
    .describe(
      "Public keys (publickeyv1_…) of the engines that may call the worker. Without one the worker does not listen.",
    ),
  WORKER_HOST: text()
    .default("127.0.0.1")
    .describe("Address the worker listens on. Only the engine calls it."),
  WORKER_PORT: port().default(3001).describe("Port of the worker."),
  SWEEP_EVERY_MS: wholeNumber()
    .min(50)
    .default(1000)
    .describe("How often work that should be moving and is not is looked for."),
});

export type Config = z.output<typeof Config>;

export const baseUrlOf = ({ BASE_URL, HOST, PORT }: Config): string => BASE_URL ?? `http://${HOST}:${PORT}`;

/** What the command that tells the engine about this app's flows needs. */
export const RegisterConfig = z.object({
  ENGINE_ADMIN_URL: webAddress()
    .prefault("http://127.0.0.1:19070")
    .describe("Where the engine takes registrations."),
  WORKER_URL: webAddress()
    .prefault("http://127.0.0.1:3001")
    .describe("Where the engine reaches the worker. A new version of changed flows gets a new address."),
  ENGINE_REGISTER_FORCE: flag()
    .prefault("false")
    .describe(
      "Replace what the engine knows of that address. For development only: work in flight whose steps changed fails.",
    ),
});
