// Puts the three contracts on a chain, and remembers in a file where they are. Settings go into the constructors, so
// that no contract is ever on the chain without them, and the owner need not be the key that pays for the deployment.
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Account, Address, Hex, PublicClient } from "viem";
import {
  createPublicClient,
  createWalletClient,
  encodeDeployData,
  http,
  isAddress,
  publicActions,
} from "viem";
import {
  accountRegistryAbi,
  accountRegistryBytecode,
  inboxAbi,
  inboxBytecode,
  serviceRegistryAbi,
  serviceRegistryBytecode,
} from "../abi/index.ts";
import { receiptOf } from "./receipt-of.ts";

export { receiptOf };

export { ensureService } from "./ensure-service.ts";
export { RegistrationRefused, registerService, type Registration } from "./register-service.ts";

export type Deployment = {
  chainId: number;
  accountRegistry: Address;
  serviceRegistry: Address;
  inbox: Address;
  /** The first block that can hold an event of these contracts: where a watcher starts. */
  blockNumber: bigint;
};

export type DeployOptions = {
  rpcUrl: string;
  /** Pays for the deployment. */
  deployer: Account;
  /** May record accounts. The zero address leaves that to the accounts themselves. */
  registrar: Address;
  /** May record requests: the wallets that the service signs from. */
  recorders: readonly Address[];
  /** The owner of the contracts. Default: the deployer. */
  owner?: Address;
};

// viem's own 4 s is made for public nodes; a local chain answers at once.
const pollingInterval = 500;

/** Deploys all three contracts and returns once they are in a block. */
export async function deployContracts(options: DeployOptions): Promise<Deployment> {
  const { rpcUrl, deployer, registrar, recorders, owner = deployer.address } = options;
  const client = createWalletClient({ account: deployer, transport: http(rpcUrl), pollingInterval }).extend(
    publicActions,
  );

  // All three are sent before the first is waited for, so that they share a block.
  const creations = [
    encodeDeployData({
      abi: accountRegistryAbi,
      bytecode: accountRegistryBytecode,
      args: [owner, registrar],
    }),
    encodeDeployData({ abi: serviceRegistryAbi, bytecode: serviceRegistryBytecode, args: [owner] }),
    encodeDeployData({ abi: inboxAbi, bytecode: inboxBytecode, args: [owner, recorders] }),
  ];
  const firstNonce = await client.getTransactionCount({ address: deployer.address, blockTag: "pending" });
  const sent: Hex[] = [];
  for (const [index, data] of creations.entries())
    sent.push(await client.sendTransaction({ data, nonce: firstNonce + index, chain: null }));
  const [accountRegistry, serviceRegistry, inbox] = await Promise.all(
    sent.map((hash) => readCreation(client, hash)),
  );
  if (!accountRegistry || !serviceRegistry || !inbox) throw new Error("Not all contracts were deployed.");

  return {
    chainId: await client.getChainId(),
    accountRegistry: accountRegistry.address,
    serviceRegistry: serviceRegistry.address,
    inbox: inbox.address,
    blockNumber: accountRegistry.blockNumber,
  };
}

/** Waits until the contract is in a block. */
async function readCreation(
  client: Pick<PublicClient, "waitForTransactionReceipt">,
  hash: Hex,
): Promise<{ address: Address; blockNumber: bigint }> {
  const { status, contractAddress, blockNumber } = await receiptOf(client, hash);
  if (status !== "success" || !contractAddress) throw new Error(`The deployment ${hash} was reverted.`);
  return { address: contractAddress, blockNumber };
}

/**
 * Returns the deployment in the file if it still exists on the chain, and otherwise deploys and writes the file. An existing
 * deployment is not changed: neither its settings nor its code, because request hashes are bound to the Inbox's address.
 */
export async function ensureDeployed({
  file,
  ...options
}: DeployOptions & { file: string }): Promise<Deployment> {
  const standing = await findDeployment({ file, rpcUrl: options.rpcUrl });
  if (standing) return standing;
  const deployment = await deployContracts(options);
  await writeDeployment(file, deployment);
  return deployment;
}

/** Returns the deployment in the file, or undefined if there is no file or the chain has no such contracts. */
export async function findDeployment({
  file,
  rpcUrl,
}: {
  file: string;
  rpcUrl: string;
}): Promise<Deployment | undefined> {
  const text = await readIfPresent(file);
  if (text === undefined) return undefined;
  const deployment = parseDeployment(text, file);

  // The same deployer reaches the same addresses on every chain, so code there does not prove that it is this chain.
  const client = createPublicClient({ transport: http(rpcUrl) });
  if ((await client.getChainId()) !== deployment.chainId) return undefined;
  const { accountRegistry, serviceRegistry, inbox } = deployment;
  const codes = await Promise.all(
    [accountRegistry, serviceRegistry, inbox].map((address) => client.getCode({ address })),
  );
  return codes.every((code) => code !== undefined) ? deployment : undefined;
}

/** The deployment as JSON, as the file has it. */
export function renderDeployment(deployment: Deployment): string {
  return `${JSON.stringify({ ...deployment, blockNumber: Number(deployment.blockNumber) }, undefined, 2)}\n`;
}

function parseDeployment(text: string, file: string): Deployment {
  const { chainId, blockNumber, accountRegistry, serviceRegistry, inbox } = parseObject(text);
  if (
    !isCount(chainId) ||
    !isCount(blockNumber) ||
    !isAddressText(accountRegistry) ||
    !isAddressText(serviceRegistry) ||
    !isAddressText(inbox)
  ) {
    // Not overwritten, because it may have been edited by hand.
    throw new Error(`${file} does not describe a deployment. Fix it, or remove it to deploy again.`);
  }
  return { chainId, accountRegistry, serviceRegistry, inbox, blockNumber: BigInt(blockNumber) };
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return { ...(value as object) };
  } catch {
    return {};
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
const isAddressText = (value: unknown): value is Address => typeof value === "string" && isAddress(value);

async function writeDeployment(file: string, deployment: Deployment): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  // Written to a temporary file and renamed, so that a reader never sees half a file.
  const draft = `${file}.${process.pid}.draft`;
  await writeFile(draft, renderDeployment(deployment));
  await rename(draft, file);
}

async function readIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
