// The Inbox contract on the home chain, read only. Every call may be repeated: the only state is on the chain.
import { inboxAbi } from "@countersign/contracts/abi";
import { BlockNotFoundError, createPublicClient, http, type PublicClient } from "viem";
import { traceTransport } from "@countersign/platform/trace";
import type { Hex } from "@countersign/wire";
import { Unavailable } from "../http/index.ts";

export type Block = { readonly number: bigint; readonly hash: Hex };
/** The entry of a request on the chain: its payload, and the service it is for. */
export type InboxEntry = { readonly contentDigest: Hex; readonly inbox: Hex };

export type Inbox = {
  /** The newest block that counts. */
  readonly readHead: () => Promise<Block>;
  /** Whether that block is still part of the chain. */
  readonly isCurrent: (block: Block) => Promise<boolean>;
  /** The entry at the newest block that counts. Undefined if the hash is not recorded yet. */
  readonly findEntry: (requestHash: Hex) => Promise<InboxEntry | undefined>;
  /** Request hashes recorded for that verification service, in an inclusive range of blocks. */
  readonly listRecorded: (range: {
    readonly inbox: Hex;
    readonly from: bigint;
    readonly to: bigint;
  }) => Promise<readonly Hex[]>;
};

type Options = {
  readonly chainId: number;
  readonly rpcUrl: string;
  readonly address: Hex;
  /** How many blocks, including its own, an entry needs to count. */
  readonly confirmations: number;
  readonly timeoutMs?: number;
};
type Chain = Options & { readonly client: PublicClient };

/** Nodes limit how many blocks one log query may span. */
const spanBlocks = 1_000n;

export function makeInbox(options: Options): Inbox {
  const { rpcUrl, timeoutMs = 5_000 } = options;
  const client = createPublicClient({
    transport: traceTransport(http(rpcUrl, { retryCount: 0, timeout: timeoutMs })),
    // A contract must not make us fetch a URL it names (EIP-3668).
    ccipRead: false,
    // A cached answer would hide a block that was just replaced.
    cacheTime: 0,
  });
  const chain: Chain = { ...options, client };
  return {
    readHead: () => quietly(() => readHead(chain)),
    isCurrent: (block) => quietly(() => isCurrent(chain, block)),
    findEntry: (requestHash) => quietly(() => findEntry(chain, requestHash)),
    listRecorded: (range) => quietly(() => listRecorded(chain, range)),
  };
}

async function readHead({ client, chainId, confirmations }: Chain): Promise<Block> {
  const [served, latest] = await Promise.all([client.getChainId(), client.getBlockNumber()]);
  if (served !== chainId)
    throw new Unavailable(`the node configured for chain ${chainId} serves chain ${served}`);
  const depth = BigInt(confirmations - 1);
  const { number, hash } = await client.getBlock({ blockNumber: latest > depth ? latest - depth : 0n });
  return { number, hash };
}

async function isCurrent({ client }: Chain, { number, hash }: Block): Promise<boolean> {
  try {
    return (await client.getBlock({ blockNumber: number })).hash === hash;
  } catch (error) {
    if (error instanceof BlockNotFoundError) return false;
    throw error;
  }
}

async function findEntry(chain: Chain, requestHash: Hex): Promise<InboxEntry | undefined> {
  const { number: blockNumber } = await readHead(chain);
  const entry = await chain.client.readContract({
    address: chain.address,
    abi: inboxAbi,
    functionName: "entryOf",
    args: [requestHash],
    blockNumber,
  });
  if (entry.blockNumber === 0n) return undefined;
  return { contentDigest: lowerCase(entry.contentDigest), inbox: lowerCase(entry.inbox) };
}

async function listRecorded(
  { client, address }: Chain,
  { inbox, from, to }: { readonly inbox: Hex; readonly from: bigint; readonly to: bigint },
): Promise<readonly Hex[]> {
  const found: Hex[] = [];
  for (let first = from; first <= to; first += spanBlocks) {
    const last = first + spanBlocks - 1n;
    const events = await client.getContractEvents({
      address,
      abi: inboxAbi,
      eventName: "Recorded",
      args: { inbox },
      fromBlock: first,
      toBlock: last < to ? last : to,
      strict: true,
    });
    found.push(...events.map(({ args }) => lowerCase(args.requestHash)));
  }
  return found;
}

/**
 * viem puts the node's URL into its messages, which may contain an access key, and errors of steps reach the
 * journal.
 */
async function quietly<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Unavailable) throw error;
    throw new Unavailable(
      `the home chain did not answer (${error instanceof Error ? error.name : "no reason"})`,
    );
  }
}

const lowerCase = (hex: Hex): Hex => `0x${hex.slice(2).toLowerCase()}`;
