import { z } from "zod";
import { flag, list, port, text, webAddress, wholeNumber } from "@countersign/platform/config";
import { logLevels } from "@countersign/platform/log";
import { isServerKey } from "./api-keys/index.ts";
import { aesKeyText } from "./platform/secrets/index.ts";

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
  SECRETS_KEY: text().regex(aesKeyText, "must be 32 bytes in base64").optional().meta({
    secret: true,
    description:
      "The key that the service's own secrets are encrypted under: 32 bytes in base64. Recommended in production, unless the key is in a token.",
  }),
  SECRETS_KEY_FILE: text()
    .default(".data/secrets.key")
    .describe(
      "Where that key is kept when neither SECRETS_KEY nor a token is set. Made if it is not there; refused if others may read it. A relative path counts from apps/api.",
    ),
  SECRETS_PREVIOUS_KEYS: list()
    .refine((keys) => keys.every((key) => aesKeyText.test(key)), "must each be 32 bytes in base64")
    .prefault("")
    .meta({
      secret: true,
      description:
        "Earlier keys, separated by commas. They open what they once sealed and seal nothing. Needed until secrets rewrap says that none is.",
    }),
  SECRETS_PKCS11_MODULE: text()
    .optional()
    .describe(
      "Path of a token's PKCS#11 library. With it the service's secrets are encrypted under a key that never leaves the token.",
    ),
  SECRETS_PKCS11_TOKEN: text().optional().describe("Label of that token."),
  SECRETS_PKCS11_PIN: text().optional().meta({ secret: true, description: "PIN of that token's user." }),
  SECRETS_PKCS11_KEY_LABELS: list()
    .prefault("")
    .describe(
      "Labels of AES keys in that token, separated by commas. The first encrypts, all decrypt. A label is never used again for another key.",
    ),
});

export type Config = z.output<typeof Config>;

/** Keys of a service that only this machine reaches say that they are for testing. */
export const keyEnvironmentOf = (config: Config): "live" | "test" =>
  ["127.0.0.1", "localhost", "[::1]"].includes(new URL(baseUrlOf(config)).hostname) ? "test" : "live";

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
