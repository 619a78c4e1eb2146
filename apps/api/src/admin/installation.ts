// The parts of an installation that both `init` and `doctor` look at.
import { z } from "zod";
import { text, webAddress } from "@countersign/platform/config";
import { CannotStart } from "@countersign/platform/process";
import type { ContractAddresses, HomeChain } from "../adapters/contracts/index.ts";
import { Config } from "../config.ts";
import { makeOwnSigner, type WalletRole } from "../platform/own-wallet/index.ts";
import type { SecretStore } from "../platform/secrets/index.ts";

type Hex = `0x${string}`;

const privateKey = () => text().regex(/^0x[0-9a-fA-F]{64}$/, "must be 32 bytes in hex, with 0x");

/** The service's settings, and those that only the setup needs. Keep these out of the service's own environment. */
export const SetupConfig = Config.extend({
  DEPLOYER_PRIVATE_KEY: privateKey().optional().meta({
    secret: true,
    description: "Pays for the contracts. Without it existing contracts are required.",
  }),
  CONTRACTS_OWNER_ADDRESS: text()
    .regex(/^0x[0-9a-fA-F]{40}$/, "must be an Ethereum address")
    .optional()
    .describe("Owner of the contracts. Default: the deployer."),
  DEPLOYMENT_FILE: text()
    .optional()
    .describe("Where the addresses of the contracts are stored. Needed to deploy."),
  FUND_WEI: z.coerce
    .bigint()
    .min(0n)
    .default(0n)
    .describe("Amount that the deployer sends to each of the service's wallets that has less."),
  ENGINE_ADMIN_URL: webAddress().optional().describe("Where the engine takes registrations."),
  WORKER_URL: webAddress().optional().describe("Where the engine reaches the worker."),
});
export type SetupConfig = z.output<typeof SetupConfig>;

export type Wallets = { readonly registrar: Hex; readonly recorder: Hex };

type Keeper = Pick<SecretStore, "ensure">;

/** A keeper that creates nothing. */
export const findOnly = (secrets: Pick<SecretStore, "listCurrent">): Keeper => ({
  ensure: async (purpose) => {
    const [found] = await secrets.listCurrent(purpose);
    if (found === undefined) throw new CannotStart(`there is no ${purpose} yet`);
    return found;
  },
});

/** Returns the addresses of the service's wallets. The keeper creates keys that are neither configured nor stored. */
export async function readWallets(config: SetupConfig, keeper: Keeper): Promise<Wallets> {
  const addressOf = async (role: WalletRole): Promise<Hex> =>
    (await makeOwnSigner(role, config, keeper)()).address;
  return { registrar: await addressOf("registrar"), recorder: await addressOf("recorder") };
}

/** Returns the configured contracts, or undefined unless all three are set. */
export function addressesOf(config: SetupConfig): ContractAddresses | undefined {
  const { ACCOUNT_REGISTRY_ADDRESS: accountRegistry, SERVICE_REGISTRY_ADDRESS: serviceRegistry } = config;
  const { INBOX_ADDRESS: inbox } = config;
  if (accountRegistry === undefined || serviceRegistry === undefined || inbox === undefined) return undefined;
  return {
    accountRegistry: accountRegistry as Hex,
    serviceRegistry: serviceRegistry as Hex,
    inbox: inbox as Hex,
  };
}

/** Throws with the missing role, and what the contracts' owner has to do. */
export async function checkRoles(
  chain: Pick<HomeChain, "readRoles">,
  addresses: ContractAddresses,
  { registrar, recorder }: Wallets,
): Promise<{ readonly activeServices: number }> {
  const roles = await chain.readRoles(addresses, recorder);
  if (roles.registrar.toLowerCase() !== registrar.toLowerCase())
    throw new CannotStart(
      `${registrar} is not the registrar of the AccountRegistry: its owner has to call setRegistrar(${registrar}).`,
    );
  if (!roles.isRecorder)
    throw new CannotStart(
      `${recorder} is not a recorder of the Inbox: its owner has to call setRecorder(${recorder}, true).`,
    );
  return roles;
}
