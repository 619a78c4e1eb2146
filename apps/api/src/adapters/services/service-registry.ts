// The public state of the ServiceRegistry on the home chain. Only finalized state counts.
import { serviceRegistryAbi } from "@countersign/contracts/abi";
import { nodeTransport, type NodeUrls } from "@countersign/platform/rpc";
import { BaseError, createPublicClient, type Hex, type PublicClient } from "viem";

type RegisteredService = {
  /** The first is 1. */
  readonly id: number;
  /** In lower case. */
  readonly inbox: Hex;
  readonly active: boolean;
  /** Fingerprint of its OpenPGP key: lower-case hex without 0x. */
  readonly fingerprint: string;
  readonly keyUri: string;
};

export type ServiceRegistry = {
  readonly chainId: number;
  /** All services, lowest id first, as of the newest finalized block. */
  readonly readServices: () => Promise<readonly RegisteredService[]>;
};

type Options = {
  readonly chainId: number;
  readonly rpcUrls: NodeUrls;
  readonly address: Hex;
  readonly timeoutMs?: number;
};

/** An operator registers a handful. A node that reports more than this is rejected. */
const mostServices = 1_000n;
const askedAtOnce = 20;

export function makeServiceRegistry({
  chainId,
  rpcUrls,
  address,
  timeoutMs = 5_000,
}: Options): ServiceRegistry {
  const client = createPublicClient({
    transport: nodeTransport({ chainId, urls: rpcUrls, timeoutMs }),
    // A contract must not make us fetch a URL it names (EIP-3668).
    ccipRead: false,
    cacheTime: 0,
  });
  return {
    chainId,
    readServices: async () => {
      try {
        return await readServices(client, { chainId, address });
      } catch (error) {
        throw quietened(chainId, error);
      }
    },
  };
}

async function readServices(
  client: PublicClient,
  { chainId, address }: Pick<Options, "chainId" | "address">,
): Promise<readonly RegisteredService[]> {
  const served = await client.getChainId();
  if (served !== chainId) throw new Error(`the node configured for chain ${chainId} serves chain ${served}`);
  const { number: blockNumber } = await client.getBlock({ blockTag: "finalized" });
  const registry = { address, abi: serviceRegistryAbi, blockNumber } as const;
  const count = await client.readContract({ ...registry, functionName: "count" });
  if (count > mostServices) throw new Error(`the service registry claims to hold ${count} services`);
  const ids = Array.from({ length: Number(count) }, (_, index) => index + 1);
  const read = async (id: number): Promise<RegisteredService> => {
    const service = await client.readContract({ ...registry, functionName: "serviceOf", args: [BigInt(id)] });
    return {
      id,
      inbox: lowerCase(service.inbox),
      active: service.active,
      fingerprint: lowerCase(service.fingerprint).slice(2),
      // PostgreSQL stores no NUL, and one odd text must not prevent storing the others.
      keyUri: service.keyUri.replaceAll("\0", "\uFFFD"),
    };
  };
  const services: RegisteredService[] = [];
  for (let first = 0; first < ids.length; first += askedAtOnce)
    services.push(...(await Promise.all(ids.slice(first, first + askedAtOnce).map(read))));
  return services;
}

const lowerCase = (hex: Hex): Hex => `0x${hex.slice(2).toLowerCase()}`;

/** viem puts the node's URL into its messages, which may contain an access key. */
function quietened(chainId: number, error: unknown): Error {
  if (error instanceof BaseError) return new Error(`chain ${chainId}: ${error.shortMessage}`);
  return new Error(error instanceof Error ? error.message : `chain ${chainId} did not answer`);
}
