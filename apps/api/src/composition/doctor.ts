// Composition of the command `doctor`, from the same settings as the service.
import { connectEngine } from "@countersign/platform/engine";
import { connectIpfs } from "../adapters/ipfs/index.ts";
import { connectHomeChain, type HomeChain } from "../adapters/contracts/index.ts";
import { askReady } from "../adapters/ready/index.ts";
import type { Examination } from "../admin/doctor.ts";
import { addressesOf, checkRoles, findOnly, readWallets, type SetupConfig } from "../admin/installation.ts";
import { readStanding } from "../platform/db/migrate.ts";
import { describeSigner } from "../platform/own-wallet/index.ts";
import type { SecretStore } from "../platform/secrets/index.ts";

/** The home chain of the settings. Its node is asked only when a method is called. */
export const homeChainOf = ({ HOME_CHAIN_ID: chainId, RPC_URLS: urls }: SetupConfig): HomeChain => {
  const rpcUrls = urls[chainId];
  if (rpcUrls === undefined) throw new Error(`RPC_URLS has no node for the home chain ${chainId}`);
  return connectHomeChain({ chainId, rpcUrls });
};

const examineDatabase = ({ DATABASE_URL: url }: SetupConfig): Examination => ({
  name: "database",
  remedy: "Run the command migrate with DATABASE_MIGRATION_URL, and use a role that does not own the tables.",
  run: async () => {
    const { role, pending, mayRewrite } = await readStanding(url);
    if (pending.length > 0) throw new Error(`${pending.length} migrations have not run`);
    if (mayRewrite) throw new Error(`the role ${role} may rewrite approvals and events`);
    return `schema up to date, role ${role} can only append decisions`;
  },
});

const examineSecrets = (secrets: SecretStore): Examination => ({
  name: "secrets",
  remedy:
    "Set the key that the secrets were encrypted under (SECRETS_KEY, SECRETS_PREVIOUS_KEYS, SECRETS_KMS_KEYS or the token).",
  run: async () => {
    const entries = await secrets.list();
    // One for each key: custody alone may have thousands of secrets.
    const samples = new Map(entries.map(({ kekId, id }) => [kekId, id]));
    for (const id of samples.values()) await secrets.read(id);
    return `${entries.length} secrets, under ${samples.size} key(s) that can be used`;
  },
});

/** Opening a key of a key service signs with it once. */
const examineSigners = (config: SetupConfig, secrets: SecretStore): Examination => ({
  name: "signers",
  remedy:
    "Run the command init. For a key in a key service check its address, and that the service may sign with it and read its public key.",
  run: async () => {
    await readWallets(config, findOnly(secrets));
    const [registrar, recorder] = [describeSigner("registrar", config), describeSigner("recorder", config)];
    return `registrar with a key in ${registrar}, recorder in ${recorder}`;
  },
});

function examineChain(config: SetupConfig, secrets: SecretStore): readonly Examination[] {
  const remedy = "Run the command init, or set the addresses that it printed.";
  return [
    {
      name: "contracts",
      remedy,
      run: async () => {
        const chain = homeChainOf(config);
        await chain.check();
        const addresses = addressesOf(config);
        if (addresses === undefined) throw new Error("the addresses of the contracts are not set");
        const { activeServices } = await checkRoles(
          chain,
          addresses,
          await readWallets(config, findOnly(secrets)),
        );
        if (activeServices === 0)
          throw new Error("no verification service is registered: run init of apps/orion");
        return `roles are set, ${activeServices} active verification service(s)`;
      },
    },
    {
      name: "gas",
      remedy: "Send gas to the address.",
      run: async () => {
        const chain = homeChainOf(config);
        const { registrar, recorder } = await readWallets(config, findOnly(secrets));
        for (const address of [registrar, recorder])
          if ((await chain.balanceOf(address)) === 0n) throw new Error(`${address} has no gas`);
        return "registrar and recorder have gas";
      },
    },
  ];
}

/** Everything that the API depends on. */
export const examinationsOf = (config: SetupConfig, secrets: SecretStore): readonly Examination[] => [
  examineDatabase(config),
  examineSecrets(secrets),
  examineSigners(config, secrets),
  ...examineChain(config, secrets),
  {
    name: "engine",
    remedy: "Start Restate and a worker, set ENGINE_IDENTITY_KEYS, and register the worker with init.",
    run: async () => {
      await connectEngine({ app: "api", ingressUrl: config.ENGINE_INGRESS_URL }).probe();
      return "a call through the engine reached a worker";
    },
  },
  {
    name: "ipfs",
    remedy: "Check IPFS_URL, and IPFS_RPC_URL if you run Kubo.",
    run: async () => {
      await connectIpfs(config).probe();
      return "answers";
    },
  },
  {
    name: "orion",
    remedy: "Start apps/orion and check ORION_URL.",
    run: () => askReady(config.ORION_URL),
  },
  {
    name: "validator",
    remedy: "Start apps/validator and check VALIDATOR_URL.",
    run: () => askReady(config.VALIDATOR_URL),
  },
];
