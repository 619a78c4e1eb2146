// A client for the nodes of one chain. A node is trusted about its chain only. Its chain id is checked on first use
// and after every failure, because another node may have replaced it.
import { BaseError, createPublicClient, type PublicClient } from "viem";
import { nodeTransport, type NodeUrls } from "@countersign/platform/rpc";
import type { Hex } from "@countersign/wire";

export type NodeOptions = {
  readonly chainId: number;
  readonly rpcUrls: NodeUrls;
  readonly timeoutMs?: number;
};

type Ask = <T>(question: () => Promise<T>, introduction?: "anew") => Promise<T>;

export type Node = { readonly client: PublicClient; readonly ask: Ask };

export function makeNode({ chainId, rpcUrls, timeoutMs = 5_000 }: NodeOptions): Node {
  const client = createPublicClient({
    transport: nodeTransport({ chainId, urls: rpcUrls, timeoutMs }),
    ccipRead: false,
    cacheTime: 0,
  });
  return { client, ask: makeAsk(client, chainId) };
}

/** Sends requests after the node has confirmed its chain id. */
function makeAsk(client: PublicClient, chainId: number): Ask {
  let isKnown = false;
  return async (question, introduction) => {
    try {
      if (!isKnown || introduction === "anew") await checkChain(client, chainId);
      isKnown = true;
      return await question();
    } catch (error) {
      isKnown = false;
      throw quietened(chainId, error);
    }
  };
}

async function checkChain(client: PublicClient, chainId: number): Promise<void> {
  const served = await client.getChainId();
  if (served !== chainId) throw new Error(`the node configured for chain ${chainId} serves chain ${served}`);
}

/** viem puts the node's URL into its messages, which may contain an access key. */
function quietened(chainId: number, error: unknown): Error {
  if (error instanceof BaseError) return new Error(`chain ${chainId}: ${error.shortMessage}`);
  return new Error(error instanceof Error ? error.message : `chain ${chainId} did not answer`);
}

export async function orUndefined<T>(
  absence: new (...given: never[]) => Error,
  question: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await question();
  } catch (error) {
    if (error instanceof absence) return undefined;
    throw error;
  }
}

export const lowerCase = (hex: Hex): Hex => hex.toLowerCase() as Hex;
