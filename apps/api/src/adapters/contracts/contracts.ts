// The operator's view of our contracts on the home chain: deploys them, reads their roles, and funds the service's wallets.
import { CannotStart } from "@countersign/platform/process";
import { nodeTransport, type NodeUrls } from "@countersign/platform/rpc";
import { accountRegistryAbi, inboxAbi, serviceRegistryAbi } from "@countersign/contracts/abi";
import { ensureDeployed, receiptOf, type Deployment } from "@countersign/contracts/deploy";
import { BaseError, createPublicClient, createWalletClient, publicActions, type Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";

export type ContractAddresses = {
  readonly accountRegistry: Hex;
  readonly serviceRegistry: Hex;
  readonly inbox: Hex;
};

type Roles = {
  readonly registrar: Hex;
  readonly isRecorder: boolean;
  /** Registered verification services that are active. */
  readonly activeServices: number;
};

export type HomeChain = {
  /** Throws if the node serves another chain. */
  readonly check: () => Promise<void>;
  /** Deploys the contracts once. The file remembers where they are. */
  readonly deploy: (options: DeployOptions) => Promise<Deployment>;
  /** Throws if one of the addresses has no contract. */
  readonly readRoles: (addresses: ContractAddresses, recorder: Hex) => Promise<Roles>;
  readonly balanceOf: (address: Hex) => Promise<bigint>;
  /** Sends the amount, and returns once it is in a block. */
  readonly fund: (options: { readonly from: Hex; readonly to: Hex; readonly wei: bigint }) => Promise<void>;
};

type DeployOptions = {
  readonly deployerKey: Hex;
  readonly registrar: Hex;
  readonly recorder: Hex;
  readonly owner: Hex | undefined;
  readonly file: string;
};

type Options = { readonly chainId: number; readonly rpcUrls: NodeUrls };

const pollingInterval = 500;

/** viem quotes the node's URL, which may contain an access key. */
async function quietly<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof BaseError)
      throw new CannotStart(`The home chain could not be used: ${error.shortMessage}`);
    throw error;
  }
}

const deploy = (
  rpcUrl: string,
  { deployerKey, recorder, owner, ...options }: DeployOptions,
): Promise<Deployment> =>
  ensureDeployed({
    ...{ ...options, rpcUrl, recorders: [recorder], deployer: privateKeyToAccount(deployerKey) },
    ...(owner === undefined ? {} : { owner }),
  });

export function connectHomeChain({ chainId, rpcUrls }: Options): HomeChain {
  const transport = nodeTransport({ chainId, urls: rpcUrls, timeoutMs: 10_000 });
  const client = createPublicClient({ transport, ccipRead: false, cacheTime: 0 });

  const check = async (): Promise<void> => {
    const served = await client.getChainId();
    if (served !== chainId)
      throw new CannotStart(`The node serves chain ${served}, not the home chain ${chainId}.`);
  };

  const readRoles = async (addresses: ContractAddresses, recorder: Hex): Promise<Roles> => {
    for (const address of Object.values(addresses))
      if ((await client.getCode({ address })) === undefined)
        throw new CannotStart(`There is no contract at ${address} on chain ${chainId}.`);
    const { accountRegistry, serviceRegistry, inbox } = addresses;
    const services = { address: serviceRegistry, abi: serviceRegistryAbi } as const;
    const [registrar, isRecorder, count] = await Promise.all([
      client.readContract({ address: accountRegistry, abi: accountRegistryAbi, functionName: "registrar" }),
      client.readContract({ address: inbox, abi: inboxAbi, functionName: "isRecorder", args: [recorder] }),
      client.readContract({ ...services, functionName: "count" }),
    ]);
    const ids = Array.from({ length: Number(count) }, (_, index) => BigInt(index + 1));
    const registered = await Promise.all(
      ids.map((id) => client.readContract({ ...services, functionName: "serviceOf", args: [id] })),
    );
    return { registrar, isRecorder, activeServices: registered.filter(({ active }) => active).length };
  };

  const fund: HomeChain["fund"] = async ({ from, to, wei }) => {
    const wallet = createWalletClient({
      ...{ account: privateKeyToAccount(from), transport, pollingInterval },
    }).extend(publicActions);
    const hash = await wallet.sendTransaction({ to, value: wei, chain: null });
    const { status } = await receiptOf(wallet, hash);
    if (status !== "success") throw new CannotStart(`The transfer ${hash} to ${to} was reverted.`);
  };

  return {
    check: () => quietly(check),
    // One node, because the next one may not have what was sent to the first yet.
    deploy: (options) => quietly(() => deploy(rpcUrls[0], options)),
    readRoles: (addresses, recorder) => quietly(() => readRoles(addresses, recorder)),
    balanceOf: (address) => quietly(() => client.getBalance({ address })),
    fund: (options) => quietly(() => fund(options)),
  };
}

/** Whether a node answers, whatever it says. */
export async function doesNodeAnswer(chainId: number, url: string): Promise<boolean> {
  const client = createPublicClient({ transport: nodeTransport({ chainId, urls: [url], timeoutMs: 5_000 }) });
  return client.getBlockNumber({ cacheTime: 0 }).then(
    () => true,
    () => false,
  );
}
