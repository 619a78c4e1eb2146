import { z } from "zod";
import { list, port, text, wholeNumber } from "@countersign/platform/config";
import { logLevels } from "@countersign/platform/log";
import { nodePairs } from "@countersign/platform/rpc";
import { drainSettings } from "@countersign/platform/process";
import { traceSettings } from "@countersign/platform/trace";

const positive = () => wholeNumber().min(1);

/** All settings of apps/simulator. By default it listens on loopback only, because it does not authenticate callers. */
export const Config = z.object({
  HOST: text().default("127.0.0.1").describe("Address the service listens on. Only orion calls it."),
  PORT: port().default(8200).describe("Port of the service."),
  LOG_LEVEL: z.enum(logLevels).default("info").describe("Minimum level of log lines."),
  RPC_URLS: nodePairs().prefault("").meta({
    secret: true,
    description:
      "Nodes, as <chain id>=<URL>, comma-separated. Name a chain several times for several nodes: they must agree on the block, and replace each other. They must support eth_getProof and eth_createAccessList.",
  }),
  MIN_NODES: positive()
    .default(1)
    .describe("How many nodes of a chain must agree on the block. With fewer no state is captured."),
  RPC_TIMEOUT_MS: positive().min(100).default(3_000).describe("Timeout of one request to a node."),
  CAPTURE_TIMEOUT_MS: positive()
    .min(100)
    .default(15_000)
    .describe("Time for one capture, with all its requests."),
  CAPTURE_CPU_MS: positive()
    .min(100)
    .default(4_000)
    .describe("CPU time in milliseconds that one capture may use."),
  CAPTURE_WORKERS: positive().default(2).describe("Worker threads. Each executes contracts of others."),
  CAPTURE_QUEUE: wholeNumber()
    .default(64)
    .describe("Requests that may wait for a worker. Further ones are answered 503."),
  SECOND_ENGINE_WORKERS: wholeNumber()
    .default(1)
    .describe(
      "Processes that repeat each simulation with a second engine, of about 150 MB each. 0: no second engine.",
    ),
  SECOND_ENGINE_CPU_MS: positive()
    .min(100)
    .default(4_000)
    .describe(
      "CPU time in milliseconds that one run of the second engine may use. Above it the process is ended.",
    ),
  SECOND_ENGINE_TIMEOUT_MS: positive()
    .min(100)
    .default(3_000)
    .describe(
      "Time that a captured state waits for the second engine. Then the answer is that it cannot tell.",
    ),
  PRAGUE_CHAINS: list()
    .refine((ids) => ids.every((id) => /^\d+$/.test(id)), "must be chain ids")
    .prefault("")
    .describe("Chains that have not activated Osaka yet, by id, comma-separated."),
  ...drainSettings,
  ...traceSettings,
});

export type Config = z.output<typeof Config>;
