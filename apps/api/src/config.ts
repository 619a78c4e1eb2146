import { z } from "zod";
import { list, port, text, webAddress, wholeNumber } from "@countersign/platform/config";
import { registerSettings } from "@countersign/platform/engine";
import { logLevels } from "@countersign/platform/log";
import { ipfsSettings } from "@countersign/platform/ipfs";
import { signingKeyAddress, signingKeyName } from "@countersign/platform/kms";
import { nodePairs } from "@countersign/platform/rpc";
import { kekSettings } from "@countersign/platform/secrets";
import { drainSettings } from "@countersign/platform/process";
import { traceSettings } from "@countersign/platform/trace";
import { isServerKey } from "./api-keys/index.ts";
import { notificationSettings } from "./config-notifications.ts";
import { oauthSettings } from "./config-oauth.ts";
import { priceSettings } from "./config-prices.ts";
import { retentionSettings } from "./config-retention.ts";
import { storageSettings } from "./config-storage.ts";
import { listHosts } from "./platform/database-hosts.ts";
import { isLoopback } from "./platform/is-loopback.ts";

const postgresAddress = () =>
  text().refine(
    (address) => listHosts(address) !== undefined,
    "must be a URL such as postgres://user:password@host:5432/database",
  );

const bootstrapKey = (role: "admin" | "orion") =>
  text()
    .refine(isServerKey(role), `must be a key of the form cs_${role}_…`)
    .optional()
    .meta({
      secret: true,
      description: `An ${role.toUpperCase()} key to accept from the first start, for unattended deployments.`,
    });

/** All settings of apps/api. The defaults are those of `npm run dev`, and safe: nothing listens beyond this machine. */
export const Config = z.object({
  HOST: text().default("127.0.0.1").describe("Address the service listens on."),
  PORT: port().default(3000).describe("Port of the service."),
  INTERNAL_PORT: port()
    .optional()
    .describe(
      "Port of a second listener for /metrics and /internal/*, which are then not on the main one. It also has /ready, and is the only listener of a worker. Recommended in production. Without it /metrics requires an ADMIN key, unless HOST and BASE_URL are loopback.",
    ),
  BASE_URL: webAddress().optional().meta({
    inProduction: "required",
    description: "Where clients reach the service. Without it, the address it listens on.",
  }),
  UI_URL: webAddress().prefault("http://127.0.0.1:5173").meta({
    inProduction: "required",
    description: "Where the web app is. Its pages may call every endpoint.",
  }),
  SIGN_IN_URLS: list()
    .refine((urls) => urls.every((url) => URL.canParse(url)), "must each be a URL")
    .prefault("")
    .describe("URLs of additional pages that may ask users to sign in, separated by commas."),
  RPC_URLS: nodePairs().prefault("11155111=http://127.0.0.1:18545").meta({
    inProduction: "required",
    secret: true,
    description:
      "Nodes of the chains we read, as <chain id>=<URL>, separated by commas. Name a chain several times for several nodes: the next one is used when one fails. MIN_NODES decides what a single one is trusted with. Contract wallets can sign in on these chains only.",
  }),
  MIN_NODES: wholeNumber()
    .min(1)
    .default(1)
    .describe(
      "How many nodes of a chain must agree on a block, its calls and their receipts before a transaction counts as executed or as final. With 1, the node in use is believed. Every chain in RPC_URLS needs at least as many nodes.",
    ),
  HOME_CHAIN_ID: wholeNumber()
    .min(1)
    .default(11_155_111)
    .describe("The chain of our own contracts. RPC_URLS must have a node for it."),
  ACCOUNT_REGISTRY_ADDRESS: text()
    .regex(/^0x[0-9a-fA-F]{40}$/, "must be an Ethereum address")
    .optional()
    .describe(
      "The AccountRegistry on the home chain. Without it, registered OpenPGP keys are stored, and recorded once it is set.",
    ),
  REGISTRAR_PRIVATE_KEY: text()
    .regex(/^0x[0-9a-fA-F]{64}$/, "must be 32 bytes in hex, with 0x")
    .optional()
    .meta({
      secret: true,
      description:
        "The key that records accounts. Default: one in the service's secret store, created when first needed.",
    }),
  REGISTRAR_KMS_KEY: signingKeyName("The key that records accounts"),
  REGISTRAR_KMS_ADDRESS: signingKeyAddress("REGISTRAR_KMS_KEY"),
  INBOX_ADDRESS: text()
    .regex(/^0x[0-9a-fA-F]{40}$/, "must be an Ethereum address")
    .optional()
    .describe(
      "The Inbox on the home chain, where proposals are registered and to which request hashes are bound. Without it they are bound to the zero address.",
    ),
  RECORDER_PRIVATE_KEY: text()
    .regex(/^0x[0-9a-fA-F]{64}$/, "must be 32 bytes in hex, with 0x")
    .optional()
    .meta({
      secret: true,
      description:
        "The key that registers proposals. Default: one in the service's secret store, created when first needed.",
    }),
  RECORDER_KMS_KEY: signingKeyName("The key that registers proposals"),
  RECORDER_KMS_ADDRESS: signingKeyAddress("RECORDER_KMS_KEY"),
  REGISTRATION_CONFIRMATIONS: wholeNumber()
    .min(1)
    .default(1)
    .describe("From how many blocks on, its own included, a registration counts."),
  SERVICE_REGISTRY_ADDRESS: text()
    .regex(/^0x[0-9a-fA-F]{40}$/, "must be an Ethereum address")
    .optional()
    .describe("The ServiceRegistry on the home chain, from which the verification services are read."),
  ...ipfsSettings(),
  ORION_URL: webAddress().prefault("http://127.0.0.1:8100").meta({
    inProduction: "required",
    description:
      "URL of orion, the verification service. It may be down: it also finds proposals on the chain.",
  }),
  VALIDATOR_URL: webAddress().prefault("http://127.0.0.1:8000").meta({
    inProduction: "required",
    description:
      "URL of the validator, for trying a check without an account. It may be down: orion asks for verdicts.",
  }),
  NUDGE_TOKEN: text().min(16, "must have at least 16 characters").optional().meta({
    secret: true,
    description: "Shared secret for nudging orion. Without it orion is not nudged.",
  }),
  VERDICT_SECONDS: wholeNumber()
    .min(1)
    .default(600)
    .describe("How long orion has for its verdict. After that it is UNDECIDED, and the owner decides."),
  NUDGE_SECONDS: wholeNumber().min(1).default(30).describe("The pause between two nudges of orion."),
  WATCH_EVERY_MS: wholeNumber()
    .min(50)
    .default(1000)
    .describe("How often each chain in RPC_URLS is read for executed transactions."),
  PENDING_SECONDS: wholeNumber()
    .min(1)
    .max(7 * 24 * 60 * 60)
    .default(24 * 60 * 60)
    .describe("Expiry of a pending proposal that sets no deadline."),
  MINIMUM_DEADLINE_SECONDS: wholeNumber()
    .min(1)
    .default(300)
    .describe("Minimum time from now to the deadline of a proposal."),
  APPROVED_SECONDS: wholeNumber()
    .min(1)
    .default(7200)
    .describe("Expiry of an approved transaction that was not executed."),
  REQUESTS_PER_MINUTE_PER_IP: wholeNumber()
    .min(1)
    .default(300)
    .describe(
      "Requests per minute from one IP address to one endpoint, unless the endpoint has its own limit.",
    ),
  TRANSACTIONS_PER_MINUTE_PER_IP: wholeNumber()
    .min(1)
    .default(100)
    .describe("Proposals per minute from one IP address."),
  TRANSACTIONS_PER_MINUTE_PER_USER: wholeNumber()
    .min(1)
    .default(10)
    .describe("Proposals per minute by one signed-in user."),
  TRANSACTIONS_PER_MINUTE_PER_KEY: wholeNumber()
    .min(1)
    .default(30)
    .describe("Proposals per minute with one API key."),
  READS_PER_MINUTE_PER_IP: wholeNumber()
    .min(1)
    .default(1200)
    .describe("Reads of transactions and their decisions per minute from one IP address."),
  EVENT_STREAMS_PER_ACCOUNT: wholeNumber()
    .min(1)
    .default(20)
    .describe("Open streams of GET /events per account in one process."),
  TRY_PER_MINUTE_PER_IP: wholeNumber()
    .min(1)
    .default(10)
    .describe(
      "Public checks of transactions on the validator per minute from one IP address, and as many descriptions.",
    ),
  ...oauthSettings,
  ...notificationSettings,
  ...priceSettings,
  ...retentionSettings,
  ...storageSettings,
  SNAPSHOT_TOLERANCE_BPS: wholeNumber()
    .min(0)
    .max(10_000)
    .default(100)
    .describe(
      "Tolerance in basis points by which incoming amounts may be smaller when a transaction is sent than when it was verified. Outgoing amounts may never be larger.",
    ),
  CUSTODIAN_URL: webAddress().optional().meta({
    inProduction: "unset",
    description:
      "Where the custodian's API is, in place of the host that an integration's environment and region name. For development.",
  }),
  CUSTODIAN_ASSETS: list()
    .refine(
      (pairs) => pairs.every((pair) => /^\d+=[A-Z0-9_-]+$/.test(pair)),
      "must each be <chain id>=<asset>",
    )
    .transform(
      (pairs) =>
        Object.fromEntries(pairs.map((pair) => pair.split("=", 2) as [string, string])) as Record<
          number,
          string
        >,
    )
    .prefault(
      "1=ETH,11155111=ETH_TEST5,10=ETH-OPT,137=MATIC_POLYGON,42161=ETH-AETH,8453=BASECHAIN_ETH,56=BNB_BSC,43114=AVAX",
    )
    .describe(
      "The custodian's asset id for the native token of each chain, as <chain id>=<asset>, separated by commas.",
    ),
  WALLET_PROVIDER_URL: webAddress()
    .optional()
    .describe(
      "Where the wallet provider's API is. Without it quorums are kept here alone, and nothing is sent.",
    ),
  WALLET_PROVIDER_NAME: text()
    .default("key-quorum")
    .describe("The wallet provider's name, as shown to accounts with a quorum."),
  WALLET_PROVIDER_APP_ID: text().optional().describe("This service's id at the wallet provider."),
  WALLET_PROVIDER_APP_SECRET: text()
    .optional()
    .meta({ secret: true, description: "This service's secret at the wallet provider." }),
  SENDER_TIMEOUT_MS: wholeNumber()
    .min(100)
    .default(15_000)
    .describe("Timeout of requests to the custodian and the wallet provider."),
  MIRROR_EVERY_MS: wholeNumber()
    .min(50)
    .default(30_000)
    .describe("How often the verification services are read from the ServiceRegistry."),
  TRUSTED_PROXIES: list()
    .prefault("")
    .describe("IP addresses or ranges of proxies whose X-Forwarded-For is trusted, separated by commas."),
  LOG_LEVEL: z.enum(logLevels).default("info").describe("Minimum level of log lines."),
  DATABASE_URL: postgresAddress().default("postgres://countersign_api@127.0.0.1:15432/countersign").meta({
    inProduction: "required",
    secret: true,
    description:
      "The PostgreSQL database, version 15 or later, with the role that the service runs as. Name several hosts, separated by commas, for a primary with standbys: the service finds the primary. Unless BASE_URL is on loopback, the service refuses a role that could rewrite approvals or events.",
  }),
  DATABASE_MIGRATION_URL: postgresAddress().optional().meta({
    secret: true,
    description:
      "The same database with the role that owns the tables. If set, the service migrates at its start and grants the role of DATABASE_URL its privileges. Otherwise run `npm run admin -w apps/api -- migrate` before each new version.",
  }),
  DATABASE_POOL_SIZE: wholeNumber()
    .min(1)
    .default(10)
    .describe("Maximum number of database connections of this process."),
  REDIS_URL: z
    .url({ protocol: /^rediss?$/, error: "must be a redis or rediss URL" })
    .optional()
    .meta({
      secret: true,
      description:
        "A Redis through which several processes share their limits. It may be down; then each process counts alone.",
    }),
  ROLE: z
    .enum(["all", "http", "worker"])
    .default("all")
    .describe("What this process does: answer requests (http), run durable flows (worker), or both (all)."),
  ENGINE_INGRESS_URL: webAddress().prefault("http://127.0.0.1:18080").meta({
    inProduction: "required",
    description:
      "Where the durable-execution engine takes calls. It may be away; work is accepted without it.",
  }),
  ENGINE_IDENTITY_KEYS: list()
    .prefault("")
    .describe(
      "Public keys (publickeyv1_…) of the engines that may call the worker. Without one, the worker does not listen.",
    ),
  WORKER_HOST: text()
    .default("127.0.0.1")
    .describe("Address the worker listens on. Only the engine calls it."),
  WORKER_PORT: port().default(3001).describe("Port of the worker."),
  CRASH_AT: text().optional().meta({
    inProduction: "unset",
    description: "For tests of recovery: the place at which this process dies, as <name> or <name>#<time>.",
  }),
  CRASH_LIST: text().optional().meta({
    inProduction: "unset",
    description: "For tests of recovery: a file that the names of all such places are appended to.",
  }),
  SWEEP_EVERY_MS: wholeNumber().min(50).default(1000).describe("How often stalled work is retried."),
  BOOTSTRAP_ADMIN_KEY: bootstrapKey("admin"),
  BOOTSTRAP_ORION_KEY: bootstrapKey("orion"),
  ...kekSettings("api"),
  ...drainSettings,
  ...traceSettings,
});

export type Config = z.output<typeof Config>;

/** Keys of a service that only this machine reaches are marked as test keys. */
export const keyEnvironmentOf = (config: Config): "live" | "test" =>
  isLoopback(new URL(baseUrlOf(config)).hostname) ? "test" : "live";

/** The chains with a node. Executions are seen on these only. */
export const watchedChainsOf = ({ RPC_URLS }: Pick<Config, "RPC_URLS">): ReadonlySet<number> =>
  new Set(Object.keys(RPC_URLS).map(Number));
export const baseUrlOf = ({ BASE_URL, HOST, PORT }: Config): string => BASE_URL ?? `http://${HOST}:${PORT}`;

/** The settings of the command that registers this app's flows with the engine. */
export const RegisterConfig = registerSettings.extend({
  WORKER_URL: registerSettings.shape.WORKER_URL.prefault("http://127.0.0.1:3001"),
});
