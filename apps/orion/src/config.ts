import { z } from "zod";
import { flag, list, port, text, webAddress, wholeNumber } from "@countersign/platform/config";
import { registerSettings } from "@countersign/platform/engine";
import { logLevels } from "@countersign/platform/log";
import { signingKeyAddress, signingKeyName } from "@countersign/platform/kms";
import { nodeUrls } from "@countersign/platform/rpc";
import { kekSettings } from "@countersign/platform/secrets";
import { drainSettings } from "@countersign/platform/process";
import { traceSettings } from "@countersign/platform/trace";

const address = () => text().regex(/^0x[0-9a-fA-F]{40}$/, "must be an Ethereum address");

/**
 * All settings of apps/orion. The defaults are those of `npm run dev`, and safe: nothing listens beyond this
 * machine.
 */
export const Config = z.object({
  HOST: text()
    .default("127.0.0.1")
    .describe("Address the service listens on. Only the main service calls it."),
  PORT: port().default(8100).describe("Port of the service."),
  LOG_LEVEL: z.enum(logLevels).default("info").describe("Minimum level of log lines."),
  WORKER_HOST: text()
    .default("127.0.0.1")
    .describe("Address the worker listens on. Only the engine calls it."),
  WORKER_PORT: port().default(8101).describe("Port of the worker."),
  ENGINE_INGRESS_URL: webAddress()
    .prefault("http://127.0.0.1:18080")
    .meta({ inProduction: "required", description: "Where the durable-execution engine takes calls." }),
  ENGINE_IDENTITY_KEYS: list()
    .prefault("")
    .describe(
      "Public keys (publickeyv1_…) of the engines that may call the worker. Without one, the worker does not listen.",
    ),
  API_URL: webAddress().prefault("http://127.0.0.1:3000").meta({
    inProduction: "required",
    description: "URL of the main service, where verdicts are posted and transactions are read.",
  }),
  INTERNAL_API_URL: webAddress()
    .optional()
    .describe(
      "Where the main service serves /internal/*, if that is on a port of its own. Without it, API_URL.",
    ),
  ORION_KEY: text()
    .regex(/^cs_orion_\S+$/, "must be a key of the form cs_orion_…")
    .optional()
    .meta({
      inProduction: "required",
      secret: true,
      description: "The ORION key for the main service, which accepts no verdict without it.",
    }),
  NUDGE_TOKEN: text().min(16, "must have at least 16 characters").optional().meta({
    secret: true,
    description:
      "Shared secret of the main service's nudges. Without it every nudge is rejected, and proposals are found on the chain only.",
  }),
  VALIDATOR_URL: webAddress()
    .prefault("http://127.0.0.1:8000")
    .meta({ inProduction: "required", description: "URL of the validator." }),
  VALIDATOR_TIMEOUT_MS: wholeNumber()
    .min(100)
    .default(30_000)
    .describe("Timeout of one request to the validator."),
  SIMULATOR_URL: webAddress()
    .optional()
    .describe(
      "URL of the simulator, which captures the state that a transaction reads. Without it nothing is simulated.",
    ),
  SIMULATOR_TIMEOUT_MS: wholeNumber()
    .min(100)
    .default(20_000)
    .describe("Timeout of one request to the simulator. After it the verdict is made without a state."),
  SIMULATE_SEALED: flag()
    .prefault("false")
    .describe(
      "Whether calls that their sender encrypted are simulated. The simulator and its nodes then see them: use your own nodes.",
    ),
  GIVE_UP_SECONDS: wholeNumber()
    .default(300)
    .describe("After this long without an answer of the validator the verdict is UNDECIDED."),
  IPFS_URL: webAddress().prefault("http://127.0.0.1:18088").meta({
    inProduction: "required",
    description: "URL of the IPFS gateway. It is not trusted: its answers are hashed again.",
  }),
  RPC_URL: nodeUrls().prefault("http://127.0.0.1:18545").meta({
    inProduction: "required",
    secret: true,
    description:
      "Nodes for the home chain, separated by commas. The next one is used when one fails, and each of them is trusted.",
  }),
  HOME_CHAIN_ID: wholeNumber().min(1).default(11_155_111).describe("The chain of the Inbox contract."),
  INBOX_ADDRESS: address().optional().meta({
    inProduction: "required",
    description:
      "The Inbox contract on the home chain, to which verdicts are bound. Without it nothing is watched, and they are bound to the zero address.",
  }),
  CONFIRMATIONS: wholeNumber()
    .min(1)
    .default(1)
    .describe("From how many blocks on, its own included, an entry of the Inbox counts."),
  WATCH_EVERY_MS: wholeNumber().min(50).default(2_000).describe("How often the Inbox is read."),
  WATCH_LOOKBACK_BLOCKS: wholeNumber()
    .default(7_200)
    .describe("How far back the watch starts, at the start and after a reorg."),
  ENCLAVE_PROOF_URL: webAddress()
    .optional()
    .describe(
      "Where the enclave that this runs in attests the hash of a verdict. Without it there is no proof, and none is claimed.",
    ),
  VERDICT_KEY_FILE: text()
    .default(".data/verdict-key.json")
    .describe(
      "The key that signs verdicts, encrypted. Rejected if others may read the file. A relative path is relative to apps/orion.",
    ),
  VERDICT_KEY_CREATE: flag()
    .prefault("true")
    .describe(
      "Whether to create that key at the start if it does not exist. The main service accepts no verdict of a key that the chain does not know. false in production.",
    ),
  VERDICT_KMS_KEY: signingKeyName("The key that signs verdicts, instead of VERDICT_KEY_FILE"),
  VERDICT_KMS_ADDRESS: signingKeyAddress("VERDICT_KMS_KEY"),
  PGP_KEY_FILE: text()
    .default(".data/pgp-key.asc")
    .describe(
      "The OpenPGP private key that proposals are encrypted to. Rejected if others may read the file. A relative path is relative to apps/orion.",
    ),
  PGP_KEY_CREATE: flag()
    .prefault("true")
    .describe("Whether to create that key at the start if it does not exist. false in production."),
  CRASH_AT: text().optional().meta({
    inProduction: "unset",
    description: "For tests of recovery: the place at which this process dies, as <name> or <name>#<time>.",
  }),
  CRASH_LIST: text().optional().meta({
    inProduction: "unset",
    description: "For tests of recovery: a file that the names of all such places are appended to.",
  }),
  ...kekSettings("orion"),
  ...drainSettings,
  ...traceSettings,
});

export type Config = z.output<typeof Config>;

export const baseUrlOf = ({ HOST, PORT }: Config): string => `http://${HOST}:${PORT}`;

/** The settings of the command that registers this app's flows with the engine. */
export const RegisterConfig = registerSettings.extend({
  WORKER_URL: registerSettings.shape.WORKER_URL.prefault("http://127.0.0.1:8101"),
});
