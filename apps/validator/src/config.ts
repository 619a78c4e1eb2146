import { z } from "zod";
import { port, text } from "@countersign/platform/config";
import { logLevels } from "@countersign/platform/log";

/** Everything apps/validator can be told. It listens on this machine only, because it asks nobody who they are. */
export const Config = z.object({
  HOST: text().default("127.0.0.1").describe("Address the service listens on."),
  PORT: port().default(8000).describe("Port of the service."),
  LOG_LEVEL: z.enum(logLevels).default("info").describe("Least severe log lines that are written."),
});

export type Config = z.output<typeof Config>;
