// Our own services, each one Node process that runs the TypeScript as it is.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Deployment } from "@countersign/contracts/deploy";
import { devAccounts } from "../engines/anvil.ts";
import type { Restate } from "../engines/restate.ts";
import type { Child, Supervisor } from "../engines/supervisor.ts";
import { fetchOk, waitForListener, waitUntil } from "../engines/wait.ts";
import type { DataDir } from "./data-dir.ts";
import { root } from "./options.ts";
import type { StackUrls } from "./parts.ts";
import { ensureServerKeys } from "./server-keys.ts";

type App = "api" | "validator";
type Options = { readonly supervisor: Supervisor; readonly urls: StackUrls };

const mainFile = (app: App): string => join(root, "apps", app, "src/main.ts");

export const isPresent = (app: App): boolean => existsSync(mainFile(app));

const portOf = (url: string): string => new URL(url).port;

/** It gets what its configuration knows, and nothing else from our environment. */
const startApp = (supervisor: Supervisor, app: App, env: Readonly<Record<string, string>>): Child =>
  supervisor.start({ name: app, command: process.execPath, args: [mainFile(app)], cwd: root, env });

export async function startValidator({ supervisor, urls }: Options): Promise<Child> {
  const child = startApp(supervisor, "validator", {
    HOST: "127.0.0.1",
    PORT: portOf(urls.validator),
  });
  await waitForListener(child, Number(portOf(urls.validator)));
  await waitUntil("the validator is ready", () => fetchOk(`${urls.validator}/ready`), { child });
  return child;
}

/**
 * Returns once it listens, which is after it has migrated the database. How it is, is asked only when the engine knows
 * where it is: its look at itself goes through the engine, which may still have the address of an earlier run.
 */
type ApiOptions = Options &
  Pick<Restate, "identityKey"> & { readonly dir: DataDir; readonly deployment: Deployment };

export async function startApi(options: ApiOptions): Promise<Child> {
  const { supervisor, urls, identityKey, dir, deployment } = options;
  const serverKeys = ensureServerKeys(dir.serverKeysFile);
  const child = startApp(supervisor, "api", {
    HOST: "127.0.0.1",
    PORT: portOf(urls.api),
    BASE_URL: urls.api,
    WORKER_HOST: "127.0.0.1",
    WORKER_PORT: portOf(urls.worker),
    DATABASE_URL: urls.postgres,
    ENGINE_INGRESS_URL: urls.restateIngress,
    ENGINE_IDENTITY_KEYS: identityKey,
    SECRETS_KEY_FILE: dir.secretsKeyFile,
    BOOTSTRAP_ADMIN_KEY: serverKeys.admin,
    BOOTSTRAP_ORION_KEY: serverKeys.orion,
    RPC_URLS: `${deployment.chainId}=${urls.anvil}`,
    HOME_CHAIN_ID: String(deployment.chainId),
    ACCOUNT_REGISTRY_ADDRESS: deployment.accountRegistry,
    // The account that the seed made the registrar.
    REGISTRAR_PRIVATE_KEY: devAccounts()[1]?.privateKey ?? "",
  });
  for (const url of [urls.api, urls.worker]) await waitForListener(child, Number(portOf(url)));
  return child;
}

/** Tells the engine where the api's flows are, as it must be told whenever their code may have changed. */
export async function registerWorker({
  supervisor,
  urls,
  api,
}: Options & { readonly api: Child }): Promise<void> {
  const register = (): Promise<boolean> =>
    supervisor.run({
      name: "worker",
      command: process.execPath,
      args: [join(root, "apps/api/src/register.ts")],
      cwd: root,
      env: { ENGINE_ADMIN_URL: urls.restateAdmin, WORKER_URL: urls.worker, ENGINE_REGISTER_FORCE: "true" },
    });
  try {
    await waitUntil("the worker is registered with Restate", register, { child: api });
  } catch (error) {
    throw new Error(`Restate did not accept the worker. See ${supervisor.logFile("worker")}`, {
      cause: error,
    });
  }
  const isWell = async (): Promise<boolean> => {
    const health = (await (await fetchOk(`${urls.api}/health`)).json()) as { status: string };
    return health.status === "ok";
  };
  await waitUntil("the api is ready", () => fetchOk(`${urls.api}/ready`), { child: api });
  await waitUntil("the api reaches the database and the engine", isWell, { child: api });
}
