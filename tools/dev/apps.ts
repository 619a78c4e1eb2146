// Our own services, each one Node process that runs the TypeScript as it is.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Deployment } from "@countersign/contracts/deploy";
import { devAccounts } from "../engines/anvil.ts";
import { asService, ensureServiceRole } from "../engines/postgres.ts";
import type { Restate } from "../engines/restate.ts";
import type { Child, Supervisor } from "../engines/supervisor.ts";
import { fetchOk, waitForListener, waitUntil } from "../engines/wait.ts";
import type { DataDir } from "./data-dir.ts";
import { root } from "./options.ts";
import { orionKeyFiles } from "./orion-keys.ts";
import type { StackUrls } from "./parts.ts";
import { ensureServerKeys } from "./server-keys.ts";
import { standInSettings } from "./stand-ins.ts";

type App = "api" | "orion" | "simulator" | "validator";
type Environment = Readonly<Record<string, string>>;
type Options = {
  readonly supervisor: Supervisor;
  readonly urls: StackUrls;
  /** Settings beyond the usual ones, or in their place. */
  readonly env?: Environment;
  /** Of the process and its log, if several of one app run. */
  readonly name?: string;
  /** Another checkout whose code runs. */
  readonly checkout?: string;
};

const mainFile = (app: App, checkout = root): string => join(checkout, "apps", app, "src/main.ts");

export const isPresent = (app: App): boolean => existsSync(mainFile(app));

const portOf = (url: string): string => new URL(url).port;

/** It gets what its configuration knows, and nothing else from our environment. */
const startApp = (
  { supervisor, name, checkout = root }: Omit<Options, "urls">,
  app: App,
  env: Environment,
): Child =>
  supervisor.start({
    ...{ name: name ?? app, command: process.execPath, args: [mainFile(app, checkout)], cwd: checkout, env },
  });

export async function startValidator(options: Options): Promise<Child> {
  const { urls, env } = options;
  const child = startApp(options, "validator", {
    HOST: "127.0.0.1",
    PORT: portOf(urls.validator),
    ...env,
  });
  await waitForListener(child, Number(portOf(urls.validator)));
  await waitUntil("the validator is ready", () => fetchOk(`${urls.validator}/ready`), { child });
  return child;
}

/** Starts the simulator with nodes for the chain of the world alone: example accounts hold nothing on the home chain. */
export async function startSimulator(options: Options): Promise<Child> {
  const { urls, env } = options;
  const child = startApp(options, "simulator", {
    HOST: "127.0.0.1",
    PORT: portOf(urls.simulator),
    ...env,
  });
  await waitForListener(child, Number(portOf(urls.simulator)));
  await waitUntil("the simulator is ready", () => fetchOk(`${urls.simulator}/ready`), { child });
  return child;
}

/**
 * Returns once it listens, which is after it has migrated the database. How it is, is asked only when the engine knows
 * where it is: its look at itself goes through the engine, which may still have the address of an earlier run.
 */
type AppOptions = Options &
  Pick<Restate, "identityKey"> & { readonly dir: DataDir; readonly deployment: Deployment };

/** The settings of the API, and of the commands of its operator. */
export function settingsOfApi({
  urls,
  identityKey,
  dir,
  deployment,
  env,
}: Omit<AppOptions, "supervisor">): Environment {
  const serverKeys = ensureServerKeys(dir.serverKeysFile);
  return {
    HOST: "127.0.0.1",
    PORT: portOf(urls.api),
    BASE_URL: urls.api,
    WORKER_HOST: "127.0.0.1",
    WORKER_PORT: portOf(urls.worker),
    DATABASE_URL: asService(urls.postgres),
    DATABASE_MIGRATION_URL: urls.postgres,
    ENGINE_INGRESS_URL: urls.restateIngress,
    ENGINE_IDENTITY_KEYS: identityKey,
    SECRETS_KEY_FILE: dir.secretsKeyFile,
    BOOTSTRAP_ADMIN_KEY: serverKeys.admin,
    BOOTSTRAP_ORION_KEY: serverKeys.orion,
    RPC_URLS: `${deployment.chainId}=${urls.anvil}`,
    HOME_CHAIN_ID: String(deployment.chainId),
    ACCOUNT_REGISTRY_ADDRESS: deployment.accountRegistry,
    SERVICE_REGISTRY_ADDRESS: deployment.serviceRegistry,
    INBOX_ADDRESS: deployment.inbox,
    // The accounts that the seed gave these roles.
    REGISTRAR_PRIVATE_KEY: devAccounts()[1]?.privateKey ?? "",
    RECORDER_PRIVATE_KEY: devAccounts()[2]?.privateKey ?? "",
    IPFS_URL: urls.ipfs,
    ORION_URL: urls.orion,
    VALIDATOR_URL: urls.validator,
    // A receiver of webhooks that someone develops is on this machine.
    WEBHOOK_LOOPBACK: "true",
    NUDGE_TOKEN: serverKeys.nudgeToken,
    COMPACT_STORAGE: "true",
    VAPID_PUBLIC_KEY: serverKeys.push.publicKey,
    VAPID_PRIVATE_KEY: serverKeys.push.privateKey,
    VAPID_SUBJECT: "mailto:dev@countersign.example",
    ...standInSettings({ urls }),
    ...env,
  };
}

export async function startApi(options: AppOptions): Promise<Child> {
  const { urls, env } = options;
  await ensureServiceRole(urls.postgres);
  const child = startApp(options, "api", settingsOfApi(options));
  const listeners = { http: [urls.api], worker: [urls.worker] }[env?.["ROLE"] ?? ""];
  for (const url of listeners ?? [urls.api, urls.worker]) await waitForListener(child, Number(portOf(url)));
  return child;
}

type Registration = {
  readonly app: App;
  readonly name: string;
  readonly workerUrl: string;
  readonly child: Child;
};

/** Registers an app's flows with the engine, which is needed whenever their code may have changed. */
async function register({ supervisor, urls }: Options, given: Registration): Promise<void> {
  const { app, name, workerUrl, child } = given;
  const run = (): Promise<boolean> =>
    supervisor.run({
      name,
      command: process.execPath,
      args: [join(root, "apps", app, "src/register.ts")],
      cwd: root,
      env: { ENGINE_ADMIN_URL: urls.restateAdmin, WORKER_URL: workerUrl, ENGINE_REGISTER_FORCE: "true" },
    });
  try {
    await waitUntil(`the worker of ${app} is registered with Restate`, run, { child });
  } catch (error) {
    throw new Error(`Restate did not accept the worker of ${app}. See ${supervisor.logFile(name)}`, {
      cause: error,
    });
  }
}

export async function registerWorker({ api, ...options }: Options & { readonly api: Child }): Promise<void> {
  const { urls } = options;
  await register(options, { app: "api", name: "worker", workerUrl: urls.worker, child: api });
  const isWell = async (): Promise<boolean> => {
    const health = (await (await fetchOk(`${urls.api}/health`)).json()) as { status: string };
    return health.status === "ok";
  };
  await waitUntil("the api is ready", () => fetchOk(`${urls.api}/ready`), { child: api });
  await waitUntil("the api reaches the database and the engine", isWell, { child: api });
}

/** Starts orion with the keys that the seed registered on chain. Returns once it listens. */
export async function startOrion(options: AppOptions): Promise<Child> {
  const { urls, identityKey, dir, deployment, env } = options;
  const { orion, nudgeToken } = ensureServerKeys(dir.serverKeysFile);
  const child = startApp(options, "orion", {
    HOST: "127.0.0.1",
    PORT: portOf(urls.orion),
    WORKER_HOST: "127.0.0.1",
    WORKER_PORT: portOf(urls.orionWorker),
    ENGINE_INGRESS_URL: urls.restateIngress,
    ENGINE_IDENTITY_KEYS: identityKey,
    API_URL: urls.api,
    ORION_KEY: orion,
    NUDGE_TOKEN: nudgeToken,
    VALIDATOR_URL: urls.validator,
    IPFS_URL: urls.ipfs,
    RPC_URL: urls.anvil,
    HOME_CHAIN_ID: String(deployment.chainId),
    INBOX_ADDRESS: deployment.inbox,
    ...orionKeyFiles(dir.orion),
    ...env,
  });
  for (const url of [urls.orion, urls.orionWorker]) await waitForListener(child, Number(portOf(url)));
  return child;
}

export async function registerOrion({
  orion,
  ...options
}: Options & { readonly orion: Child }): Promise<void> {
  const { urls } = options;
  await register(options, {
    app: "orion",
    name: "orion-register",
    workerUrl: urls.orionWorker,
    child: orion,
  });
  await waitUntil("orion is ready", () => fetchOk(`${urls.orion}/ready`), { child: orion });
}
