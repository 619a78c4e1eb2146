import { z } from "zod";
import { flag, list, port, text, webAddress, wholeNumber } from "@countersign/platform/config";
import { registerSettings } from "@countersign/platform/engine";
import { logLevels } from "@countersign/platform/log";
import { kekSettings } from "@countersign/platform/secrets";

const address = () => text().regex(/^0x[0-9a-fA-F]{40}$/, "must be an Ethereum address");

/** Everything apps/orion can be told. Defaults are those of `npm run dev`, and safe: nothing listens beyond this machine. */
export const Config = z.object({
  HOST: text()
    .default("127.0.0.1")
    .describe("Address the service listens on. Only the main service calls it."),
  PORT: port().default(8100).describe("Port of the service."),
  LOG_LEVEL: z.enum(logLevels).default("info").describe("Least severe log lines that are written."),
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
      "Public keys (publickeyv1_…) of the engines that may call the worker. Without one the worker does not listen.",
    ),
  API_URL: webAddress().prefault("http://127.0.0.1:3000").meta({
    inProduction: "required",
    description: "The main service: verdicts are posted there, and the record is read there.",
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
      description: "The ORION key for the main service, which takes no verdict without it.",
    }),
  NUDGE_TOKEN: text().min(16, "must have at least 16 characters").optional().meta({
    secret: true,
    description:
      "What the main service shows to nudge. Without it every nudge is refused, and proposals are found on the chain only.",
  }),
  VALIDATOR_URL: webAddress()
    .prefault("http://127.0.0.1:8000")
    .meta({ inProduction: "required", description: "The validator." }),
  VALIDATOR_TIMEOUT_MS: wholeNumber()
    .min(100)
    .default(30_000)
    .describe("How long one question to the validator may take."),
  GIVE_UP_SECONDS: wholeNumber()
    .default(300)
    .describe("After so long without an answer of the validator the verdict is UNDECIDED."),
  IPFS_URL: webAddress().prefault("http://127.0.0.1:18088").meta({
    inProduction: "required",
    description: "The IPFS gateway. It is believed for nothing: what it gives is hashed again.",
  }),
  RPC_URL: webAddress()
    .prefault("http://127.0.0.1:18545")
    .meta({ inProduction: "required", secret: true, description: "A node of the home chain." }),
  HOME_CHAIN_ID: wholeNumber()
    .min(1)
    .default(11_155_111)
    .describe("The chain that the Inbox contract is on."),
  INBOX_ADDRESS: address().optional().meta({
    inProduction: "required",
    description:
      "The Inbox contract on the home chain, which verdicts are bound to. Without it nothing is watched, and they are bound to the zero address.",
  }),
  CONFIRMATIONS: wholeNumber()
    .min(1)
    .default(1)
    .describe("From how many blocks on, its own included, an entry of the Inbox counts."),
  WATCH_EVERY_MS: wholeNumber().min(50).default(2_000).describe("How often the Inbox is looked at."),
  WATCH_LOOKBACK_BLOCKS: wholeNumber()
    .default(7_200)
    .describe("How far back the watch begins, at the start and after a reorganisation of the chain."),
  ENCLAVE_PROOF_URL: webAddress()
    .optional()
    .describe(
      "Where the enclave that this runs in attests the hash of a verdict. Without it there is no proof, and none is claimed.",
    ),
  VERDICT_KEY_FILE: text()
    .default(".data/verdict-key.json")
    .describe(
      "The key that verdicts are signed with, in an envelope. Refused if others may read it. A relative path counts from apps/orion.",
    ),
  VERDICT_KEY_CREATE: flag()
    .prefault("true")
    .describe(
      "Whether that key is made at the start if it is not there. The main service takes no verdict of a key that the chain does not know. false in production.",
    ),
  PGP_KEY_FILE: text()
    .default(".data/pgp-key.asc")
    .describe(
      "The OpenPGP private key that proposals are sealed to. Refused if others may read it. A relative path counts from apps/orion.",
    ),
  PGP_KEY_CREATE: flag()
    .prefault("true")
    .describe("Whether that key is made at the start if it is not there. false in production."),
  CRASH_AT: text().optional().meta({
    inProduction: "unset",
    description: "For tests of recovery: the place at which this process dies, as <name> or <name>#<time>.",
  }),
  CRASH_LIST: text().optional().meta({
    inProduction: "unset",
    description: "For tests of recovery: a file that the names of all such places are appended to.",
  }),
  ...kekSettings("orion"),
});

export type Config = z.output<typeof Config>;

export const baseUrlOf = ({ HOST, PORT }: Config): string => `http://${HOST}:${PORT}`;

/** What the command that tells the engine about this app's flows needs. */
export const RegisterConfig = registerSettings.extend({
  WORKER_URL: registerSettings.shape.WORKER_URL.prefault("http://127.0.0.1:8101"),
});
