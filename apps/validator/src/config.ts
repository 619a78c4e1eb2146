import { z } from "zod";
import { flag, list, port, text, webAddress, wholeNumber } from "@countersign/platform/config";
import { logLevels } from "@countersign/platform/log";
import { drainSettings } from "@countersign/platform/process";
import { traceSettings } from "@countersign/platform/trace";
import { readListKey } from "./lists/index.ts";

const positive = (): z.ZodCoercedNumber => z.coerce.number().int().positive();

/** All settings of apps/validator. By default it listens on loopback only, because it does not authenticate callers. */
export const Config = z
  .object({
    HOST: text().default("127.0.0.1").describe("Address the service listens on."),
    PORT: port().default(8000).describe("Port of the service."),
    LOG_LEVEL: z.enum(logLevels).default("info").describe("Least severe log lines that are written."),
    VALIDATOR_DATA_DIR: text()
      .optional()
      .describe("Folder with the operator's own lists and policy. Without it only what is shipped is used."),
    MAX_LIST_AGE_DAYS: positive()
      .default(45)
      .describe("Matches on an older list still count, but absence from it clears no address."),
    LIST_KEYS: list()
      .prefault("")
      .refine((keys) => keys.every((key) => readListKey(key) !== null), {
        error: "must be public keys of minisign, separated by commas",
      })
      .meta({
        description:
          "Public keys of minisign whose signatures count on lists, separated by commas. With one, a list that none of them signed is refused.",
      }),
    LIST_POLL_SECONDS: positive()
      .default(30)
      .describe("How often VALIDATOR_DATA_DIR is looked at for changed files, in seconds."),
    REQUIRE_SANCTIONS: flag()
      .prefault("false")
      .describe("Whether nothing passes while no fresh sanctions list is loaded."),
    VALIDATE_CPU_MS: positive()
      .default(200)
      .describe("CPU time in milliseconds that one request may use. Above it the answer is not_checked."),
    VALIDATE_WORKERS: positive()
      .default(2)
      .describe("Worker threads that answer POST /validate. Each holds an engine of about 100 MB."),
    VALIDATE_QUEUE: wholeNumber()
      .default(256)
      .describe("Requests to POST /validate that may wait for a worker. Further ones are answered 503."),
    PUBLIC_VALIDATE_WORKERS: positive()
      .default(1)
      .describe("Worker threads that answer POST /public/validate. They never serve POST /validate."),
    PUBLIC_VALIDATE_QUEUE: wholeNumber()
      .default(16)
      .describe(
        "Requests to POST /public/validate that may wait for a worker. Further ones are answered 503.",
      ),
    REQUIRE_STATE: flag()
      .prefault("false")
      .describe("Whether nothing sent to POST /validate passes without a proven state of the chain."),
    REQUIRE_SECOND_ENGINE: flag()
      .prefault("false")
      .describe(
        "Whether a state passes only if a second engine has the same result. Requests without a state are not affected: see REQUIRE_STATE.",
      ),
    SIMULATE_CPU_MS: positive()
      .default(2_000)
      .describe(
        "CPU time in milliseconds that the simulation of one state may use. Above it the state is refused.",
      ),
    SIMULATE_WORKERS: positive()
      .default(1)
      .describe("Worker threads that verify and execute the states sent to POST /validate."),
    SIMULATE_QUEUE: wholeNumber()
      .default(32)
      .describe("Requests with a state that may wait for such a worker. Further ones are answered 503."),
    MODEL_URL: webAddress()
      .optional()
      .describe(
        "A language model for the semantic checks: the address before /chat/completions. Without it none is asked.",
      ),
    MODEL_ID: text()
      .optional()
      .describe("Which model to ask for there, by its exact id. Required with MODEL_URL."),
    MODEL_KEY: text()
      .regex(/^[\x21-\x7e]+$/, "must be printable characters without blanks")
      .optional()
      .meta({ secret: true, description: "The key to that model, if it wants one." }),
    MODEL_CHECKS: flag()
      .prefault("true")
      .describe("Whether the model is asked for objections. It needs MODEL_URL."),
    MODEL_READER: flag()
      .prefault("false")
      .describe(
        "Whether the model is asked to propose readings of requests that were not understood. It needs MODEL_URL.",
      ),
    MODEL_CALLS_PER_MINUTE: wholeNumber()
      .default(60)
      .describe(
        "Most calls to the model in a minute. A request makes up to three, and one more with MODEL_READER; above this it goes without.",
      ),
    ...drainSettings,
    ...traceSettings,
  })
  .refine(({ MODEL_URL, MODEL_ID }) => MODEL_URL === undefined || MODEL_ID !== undefined, {
    path: ["MODEL_ID"],
    error: "is required with MODEL_URL",
  })
  .refine(({ MODEL_URL, MODEL_READER }) => MODEL_URL !== undefined || !MODEL_READER, {
    path: ["MODEL_URL"],
    error: "is required with MODEL_READER",
  });

export type Config = z.output<typeof Config>;
