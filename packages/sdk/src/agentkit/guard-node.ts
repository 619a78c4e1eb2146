// The public client that a guarded provider shows. A node can have accounts that it signs for, so only reads pass.
import { createPublicClient, custom, type Chain, type PublicClient } from "viem";
import { NotApprovedError } from "../guard/not-approved.ts";
import { isRead } from "../guard/reads.ts";
import { explainRefusal } from "../guard/refused-methods.ts";
import type { NodeClient } from "./evm-wallet.ts";

export function guardNode(node: NodeClient): PublicClient {
  const request = async ({ method, params }: { readonly method: string; readonly params?: unknown }) => {
    if (!isRead(method)) throw new NotApprovedError(explainRefusal(method));
    return node.request({ method, params } as never);
  };
  const { chain, pollingInterval, cacheTime } = node;
  return createPublicClient({
    ...{ chain: chain as Chain | undefined, pollingInterval, cacheTime },
    // The bare client retries.
    transport: custom({ request }, { retryCount: 0 }),
  });
}
