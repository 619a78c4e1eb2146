// Who signs for a verification service, as the home chain has it. The service itself is not asked.
import { createPublicClient, http, parseAbi } from "viem";
import { CountersignError } from "../errors.ts";
import type { Hex } from "../types.ts";
import type { Trust } from "./verify-receipt.ts";

export type FetchTrustOptions = {
  /** A node of the home chain that you believe. */
  readonly rpcUrl: string;
  /** The contracts of the installation there, as its operator published them. */
  readonly serviceRegistry: Hex;
  readonly inbox: Hex;
  /** Which verification service is to judge. The first, unless it is said. */
  readonly serviceId?: number;
};

const abi = parseAbi([
  "struct Service { address inbox; bool active; bytes fingerprint; string keyUri; }",
  "function serviceOf(uint256 id) view returns (Service)",
]);

/** Keep the answer: with it receipts are checked without a network. */
export async function fetchTrust(options: FetchTrustOptions): Promise<Trust> {
  const { rpcUrl, serviceRegistry, inbox, serviceId = 1 } = options;
  const node = createPublicClient({ transport: http(rpcUrl) });
  try {
    const [chainId, service] = await Promise.all([
      node.getChainId(),
      node.readContract({
        ...{ address: serviceRegistry, abi },
        functionName: "serviceOf",
        args: [BigInt(serviceId)],
      }),
    ]);
    return { chainId, inbox, signer: service.inbox };
  } catch (error) {
    throw new CountersignError(
      `The registry ${serviceRegistry} did not say who signs for service ${serviceId}`,
      { cause: error },
    );
  }
}
