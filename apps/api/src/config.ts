import { z } from "zod";
import { list, port, text, webAddress, wholeNumber } from "@countersign/platform/config";
import { registerSettings } from "@countersign/platform/engine";
import { logLevels } from "@countersign/platform/log";
import { ipfsSettings } from "@countersign/platform/ipfs";
import { kekSettings } from "@countersign/platform/secrets";
import { isServerKey } from "./api-keys/index.ts";
import { oauthSettings } from "./config-oauth.ts";
import { isLoopback } from "./platform/is-loopback.ts";

const postgresAddress = () =>
  text().refine(
    (address) => /^postgres(ql)?:$/.test(URL.parse(address)?.protocol ?? ""),
    "must be an address such as postgres://user:password@host:5432/database",
  );

/** Everything apps/api can be told. Defaults are those of `npm run dev`, and safe: nothing listens beyond this machine. */
export const Config = z.object({
  HOST: text().default("127.0.0.1").describe("Address the service listens on."),
  PORT: port().default(3000).describe("Port of the service."),
  INTERNAL_PORT: port()
    .optional()
    .describe(
      "Port of a second listener for /metrics and /internal/*, which then leave the main one. Recommended in production. Without it /metrics asks for an ADMIN key, unless HOST and BASE_URL are loopback.",
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
    .refine((urls) => urls.every((url) => URL.canParse(url)), "must each be an address")
    .prefault("")
    .describe("Addresses of further pages that may ask people to sign in, separated by commas."),
  RPC_URLS: list()
    .refine(
      (pairs) => pairs.every((pair) => /^\d+=https?:\/\//.test(pair)),
      "must each be <chain id>=<address>",
    )
    .transform(
      (pairs) =>
        Object.fromEntries(
          pairs.map((pair) => [pair.split("=", 1)[0], pair.slice(pair.indexOf("=") + 1)]),
        ) as Record<number, string>,
    )
    .prefault("11155111=http://127.0.0.1:18545")
    .meta({
      inProduction: "required",
      secret: true,
      description:
        "Nodes of the chains we may ask, as <chain id>=<address>, separated by commas. Contract wallets sign in only on these.",
    }),
  HOME_CHAIN_ID: wholeNumber()
    .min(1)
    .default(11_155_111)
    .describe("The chain that our own contracts are on. RPC_URLS must name a node of it."),
  ACCOUNT_REGISTRY_ADDRESS: text()
    .regex(/^0x[0-9a-fA-F]{40}$/, "must be an Ethereum address")
    .optional()
    .describe(
      "The AccountRegistry on the home chain. Without it registered OpenPGP keys are kept, and recorded once it is set.",
    ),
  REGISTRAR_PRIVATE_KEY: text()
    .regex(/^0x[0-9a-fA-F]{64}$/, "must be 32 bytes in hex, with 0x")
    .optional()
    .meta({
      secret: true,
      description:
        "The key that accounts are recorded with. Without it, one from the service's secrets, made when first needed.",
    }),
  INBOX_ADDRESS: text()
    .regex(/^0x[0-9a-fA-F]{40}$/, "must be an Ethereum address")
    .optional()
    .describe(
      "The Inbox on the home chain, which proposals are registered with and request hashes are bound to. Without it they are bound to the zero address.",
    ),
  RECORDER_PRIVATE_KEY: text()
    .regex(/^0x[0-9a-fA-F]{64}$/, "must be 32 bytes in hex, with 0x")
    .optional()
    .meta({
      secret: true,
      description:
        "The key that proposals are registered with. Without it, one from the service's secrets, made when first needed.",
    }),
  REGISTRATION_CONFIRMATIONS: wholeNumber()
    .min(1)
    .default(1)
    .describe("From how many blocks on, its own included, a registration counts."),
  SERVICE_REGISTRY_ADDRESS: text()
    .regex(/^0x[0-9a-fA-F]{40}$/, "must be an Ethereum address")
    .optional()
    .describe("The ServiceRegistry on the home chain, which the verification services are read from."),
  ...ipfsSettings(),
  ORION_URL: webAddress().prefault("http://127.0.0.1:8100").meta({
    inProduction: "required",
    description: "The arbiter's desk. It may be away: it finds what it is for on the chain.",
  }),
  VALIDATOR_URL: webAddress().prefault("http://127.0.0.1:8000").meta({
    inProduction: "required",
    description:
      "The validator, for who tries it without an account. It may be away: verdicts are asked for by orion.",
  }),
  NUDGE_TOKEN: text().min(16, "must have at least 16 characters").optional().meta({
    secret: true,
    description: "What orion is nudged with. Without it orion is not nudged.",
  }),
  VERDICT_SECONDS: wholeNumber()
    .min(1)
    .default(600)
    .describe("How long orion has for its verdict; after that it is UNDECIDED, which needs a person."),
  NUDGE_SECONDS: wholeNumber().min(1).default(30).describe("How long orion is left in peace between nudges."),
  WATCH_EVERY_MS: wholeNumber()
    .min(50)
    .default(1000)
    .describe("How often each chain in RPC_URLS is looked at for transactions that were executed."),
  PENDING_SECONDS: wholeNumber()
    .min(1)
    .max(7 * 24 * 60 * 60)
    .default(24 * 60 * 60)
    .describe("How long a proposal that names no deadline waits to be decided, then it expires."),
  MINIMUM_DEADLINE_SECONDS: wholeNumber()
    .min(1)
    .default(300)
    .describe("How far ahead a deadline that a proposal names must at least be."),
  APPROVED_SECONDS: wholeNumber()
    .min(1)
    .default(7200)
    .describe("How long an approved transaction waits to be executed, then it expires."),
  REQUESTS_PER_MINUTE_PER_IP: wholeNumber()
    .min(1)
    .default(300)
    .describe("Requests per minute from one address to one endpoint, unless the endpoint has its own limit."),
  TRANSACTIONS_PER_MINUTE_PER_IP: wholeNumber()
    .min(1)
    .default(100)
    .describe("Most proposals that one address of the network makes in a minute."),
  TRANSACTIONS_PER_MINUTE_PER_USER: wholeNumber()
    .min(1)
    .default(10)
    .describe("Most proposals that one signed-in user makes in a minute."),
  TRANSACTIONS_PER_MINUTE_PER_KEY: wholeNumber()
    .min(1)
    .default(30)
    .describe("Most proposals that are made with one API key in a minute."),
  READS_PER_MINUTE_PER_IP: wholeNumber()
    .min(1)
    .default(1200)
    .describe("Most reads of transactions and their decisions by one address of the network in a minute."),
  EVENT_STREAMS_PER_ACCOUNT: wholeNumber()
    .min(1)
    .default(20)
    .describe("Most streams of GET /events that one account has open in one process at a time."),
  TRY_PER_MINUTE_PER_IP: wholeNumber()
    .min(1)
    .default(10)
    .describe("Most transactions that one address of the network tries on the validator in a minute."),
  ...oauthSettings,
  SNAPSHOT_TOLERANCE_BPS: wholeNumber()
    .min(0)
    .max(10_000)
    .default(100)
    .describe(
      "By how many hundredths of a percent less may come in when a transaction is sent than when it was verified. What goes out may never be more.",
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
    .describe("What the custodian calls the coin of each chain, as <chain id>=<asset>, separated by commas."),
  WALLET_PROVIDER_URL: webAddress()
    .optional()
    .describe(
      "Where the wallet provider's API is. Without it quorums are kept here alone, and nothing is sent.",
    ),
  WALLET_PROVIDER_NAME: text()
    .default("key-quorum")
    .describe("What accounts that have a quorum see as their wallet provider."),
  WALLET_PROVIDER_APP_ID: text().optional().describe("This service's id at the wallet provider."),
  WALLET_PROVIDER_APP_SECRET: text()
    .optional()
    .meta({ secret: true, description: "This service's secret at the wallet provider." }),
  SENDER_TIMEOUT_MS: wholeNumber()
    .min(100)
    .default(15_000)
    .describe("How long the custodian and the wallet provider have for an answer."),
  MIRROR_EVERY_MS: wholeNumber()
    .min(50)
    .default(30_000)
    .describe("How often the verification services are read from the ServiceRegistry."),
  TRUSTED_PROXIES: list()
    .prefault("")
    .describe("Addresses or ranges of proxies whose X-Forwarded-For is believed, separated by commas."),
  LOG_LEVEL: z.enum(logLevels).default("info").describe("Least severe log lines that are written."),
  DATABASE_URL: postgresAddress().default("postgres://countersign_api@127.0.0.1:15432/countersign").meta({
    inProduction: "required",
    secret: true,
    description:
      "The PostgreSQL database, version 15 or later, as the role that the service runs with. Unless BASE_URL is on loopback, the service refuses a role that could rewrite approvals or events.",
  }),
  DATABASE_MIGRATION_URL: postgresAddress().optional().meta({
    secret: true,
    description:
      "The same database as the role that owns the tables. With it the service migrates at its start and grants the role of DATABASE_URL what it needs. Without it, run `npm run admin -w apps/api -- migrate` before each new version.",
  }),
  DATABASE_POOL_SIZE: wholeNumber()
    .min(1)
    .default(10)
    .describe("Most connections this process opens to the database."),
  REDIS_URL: z
    .url({ protocol: /^rediss?$/, error: "must be a redis or rediss address" })
    .optional()
    .meta({
      secret: true,
      description:
        "A Redis through which several processes share their limits. It may be away; without one each counts alone.",
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
      "Public keys (publickeyv1_…) of the engines that may call the worker. Without one the worker does not listen.",
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
  SWEEP_EVERY_MS: wholeNumber()
    .min(50)
    .default(1000)
    .describe("How often work that should be moving and is not is looked for."),
  BOOTSTRAP_ADMIN_KEY: text()
    .refine(isServerKey("admin"), "must be a key of the form cs_admin_…")
    .optional()
    .meta({
      secret: true,
      description: "An ADMIN key to accept from the first start on, for deployments without hands.",
    }),
  BOOTSTRAP_ORION_KEY: text()
    .refine(isServerKey("orion"), "must be a key of the form cs_orion_…")
    .optional()
    .meta({
      secret: true,
      description: "An ORION key to accept from the first start on, for deployments without hands.",
    }),
  ...kekSettings("api"),
});

export type Config = z.output<typeof Config>;

/** Keys of a service that only this machine reaches say that they are for testing. */
export const keyEnvironmentOf = (config: Config): "live" | "test" =>
  isLoopback(new URL(baseUrlOf(config)).hostname) ? "test" : "live";

/** The chains that there is a node for: an execution is seen on these alone. */
export const watchedChainsOf = ({ RPC_URLS }: Pick<Config, "RPC_URLS">): ReadonlySet<number> =>
  new Set(Object.keys(RPC_URLS).map(Number));

export const baseUrlOf = ({ BASE_URL, HOST, PORT }: Config): string => BASE_URL ?? `http://${HOST}:${PORT}`;

/** What the command that tells the engine about this app's flows needs. */
export const RegisterConfig = registerSettings.extend({
  WORKER_URL: registerSettings.shape.WORKER_URL.prefault("http://127.0.0.1:3001"),
});
