// Reads the signer of a verification service from the home chain, without trusting the service.
import { createPublicClient, http, parseAbi } from "viem";
import { CountersignError } from "../errors.ts";
import type { Hex } from "../types.ts";
import type { Trust } from "./verify-receipt.ts";

/** Options of `fetchTrust`. */
export type FetchTrustOptions = {
  /** A node of the home chain that you trust. */
  readonly rpcUrl: string;
  /** The installation's contracts on that chain, as published by its operator. */
  readonly serviceRegistry: Hex;
  readonly inbox: Hex;
  /** The id of the verification service. Default: 1. */
  readonly serviceId?: number;
};

/** Parsed when it is used, so that a bundle that only verifies has no parser. */
const registryAbi = () =>
  parseAbi([
    "struct Service { address inbox; bool active; bytes fingerprint; string keyUri; }",
    "function serviceOf(uint256 id) view returns (Service)",
  ]);

/**
 * Reads the trusted signer from the chain. Store the result to verify receipts offline.
 * Rejects with a CountersignError if the registry cannot be read.
 */
export async function fetchTrust(options: FetchTrustOptions): Promise<Trust> {
  const { rpcUrl, serviceRegistry, inbox, serviceId = 1 } = options;
  const node = createPublicClient({ transport: http(rpcUrl) });
  try {
    const [chainId, service] = await Promise.all([
      node.getChainId(),
      node.readContract({
        ...{ address: serviceRegistry, abi: registryAbi() },
        functionName: "serviceOf",
        args: [BigInt(serviceId)],
      }),
    ]);
    return { chainId, inbox, signer: service.inbox };
  } catch (error) {
    throw new CountersignError(
      `Could not read the signer of service ${serviceId} from the registry ${serviceRegistry}`,
      { cause: error },
    );
  }
}
