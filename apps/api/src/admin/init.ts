// npm run admin -w apps/api -- init: takes the API from an empty database to a registered installation. Idempotent: it
// prints what it did and what already existed, and a repeated run changes nothing.
import type { ContractAddresses, HomeChain } from "../adapters/contracts/index.ts";
import type { ApiKeyStore, IssueKey } from "../api-keys/index.ts";
import { describeSigner } from "../platform/own-wallet/index.ts";
import type { SecretStore } from "../platform/secrets/index.ts";
import { addressesOf, checkRoles, readWallets, type SetupConfig, type Wallets } from "./installation.ts";

export type InitParts = {
  readonly config: SetupConfig;
  readonly secrets: SecretStore;
  readonly keys: { readonly store: ApiKeyStore; readonly issueKey: IssueKey };
  readonly chain: HomeChain;
  /** Registers the worker with the engine, and returns the names of its flows. */
  readonly registerWorker: (adminUrl: string, workerUrl: string) => Promise<readonly string[]>;
  readonly print: (line: string) => void;
};

const line = (part: string, text: string): string => `${part.padEnd(12)} ${text}`;

async function ensureContracts(parts: InitParts, wallets: Wallets): Promise<ContractAddresses | undefined> {
  const { config, chain, print } = parts;
  const configured = addressesOf(config);
  if (configured !== undefined) {
    print(line("contracts", "configured"));
    return configured;
  }
  const { DEPLOYER_PRIVATE_KEY: deployerKey, DEPLOYMENT_FILE: file } = config;
  if (deployerKey === undefined || file === undefined) {
    print(
      line("contracts", "not deployed: set DEPLOYER_PRIVATE_KEY and DEPLOYMENT_FILE, or the three addresses"),
    );
    return undefined;
  }
  const owner = config.CONTRACTS_OWNER_ADDRESS as `0x${string}` | undefined;
  const deployment = await chain.deploy({
    ...{ deployerKey: deployerKey as `0x${string}`, file, owner, ...wallets },
  });
  print(line("contracts", `on chain ${deployment.chainId} since block ${deployment.blockNumber}`));
  const { accountRegistry, serviceRegistry, inbox } = deployment;
  return { accountRegistry, serviceRegistry, inbox };
}

async function fundWallets({ config, chain, print }: InitParts, wallets: Wallets): Promise<void> {
  const { DEPLOYER_PRIVATE_KEY: from, FUND_WEI: wei } = config;
  for (const [name, to] of Object.entries(wallets) as readonly [string, `0x${string}`][]) {
    const balance = await chain.balanceOf(to);
    const isShort = balance < wei && from !== undefined;
    if (isShort) await chain.fund({ from: from as `0x${string}`, to, wei });
    const state = isShort ? `received ${wei} wei` : balance === 0n ? "has no gas yet" : `has ${balance} wei`;
    print(line(name, `${to} ${state}`));
  }
}

/** Creates the first key of each type. An existing one is left alone, and its secret is not shown again. */
async function ensureKeys({ keys, print }: InitParts): Promise<void> {
  const existing = await keys.store.listServerKeys();
  for (const type of ["admin", "orion"] as const) {
    const active = existing.filter((key) => key.type.toLowerCase() === type && key.active);
    if (active.length > 0) {
      print(line(`${type} key`, `${active.length} active`));
      continue;
    }
    const label = type === "orion" ? "orion" : "agent";
    const name = type === "orion" ? "verification service" : "first administrator";
    const { secret } = await keys.issueKey({ account: null, type, label, name, expiresAt: null });
    print(line(`${type} key`, `${secret} (store it now: it is not shown again)`));
  }
}

async function ensureRegistered({ config, registerWorker, print }: InitParts): Promise<void> {
  const { ENGINE_ADMIN_URL: adminUrl, WORKER_URL: workerUrl } = config;
  if (adminUrl === undefined || workerUrl === undefined) {
    print(line("engine", "worker not registered: set ENGINE_ADMIN_URL and WORKER_URL once the worker runs"));
    return;
  }
  const flows = await registerWorker(adminUrl, workerUrl);
  print(line("engine", `${workerUrl} registered with ${flows.length} flows`));
}

/** Sets up what is missing, in the order in which each part needs the one before. Throws at the first that fails. */
export async function initialise(parts: InitParts): Promise<true> {
  const { config, secrets, chain, print } = parts;
  const wallets = await readWallets(config, secrets);
  for (const role of ["registrar", "recorder"] as const)
    print(line(role, `${wallets[role]}, key in ${describeSigner(role, config)}`));
  await chain.check();
  const contracts = await ensureContracts(parts, wallets);
  await fundWallets(parts, wallets);
  if (contracts !== undefined) await checkRoles(chain, contracts, wallets);
  await ensureKeys(parts);
  const [newest] = await secrets.list();
  print(line("secrets", `encrypted under ${newest?.kekId ?? "the configured key"}`));
  await ensureRegistered(parts);
  if (contracts !== undefined && addressesOf(config) === undefined) {
    print("\nSet these for the API and the verification service:");
    print(`ACCOUNT_REGISTRY_ADDRESS=${contracts.accountRegistry}`);
    print(`SERVICE_REGISTRY_ADDRESS=${contracts.serviceRegistry}`);
    print(`INBOX_ADDRESS=${contracts.inbox}`);
  }
  return true;
}
