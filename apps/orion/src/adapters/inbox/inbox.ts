// The Inbox contract on the home chain, read only. Every call may be repeated: the only state is on the chain.
import { inboxAbi } from "@countersign/contracts/abi";
import {
  BlockNotFoundError,
  createPublicClient,
  numberToHex,
  pad,
  parseEventLogs,
  toEventSelector,
  type PublicClient,
} from "viem";
import { nodeTransport, type NodeUrls } from "@countersign/platform/rpc";
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
  /** Whether the newest block that counts has that root. */
  readonly isRootRecorded: (root: Hex) => Promise<boolean>;
  /** Records for that verification service, in an inclusive range of blocks. */
  readonly listRecorded: (range: {
    readonly inbox: Hex;
    readonly from: bigint;
    readonly to: bigint;
  }) => Promise<Recorded>;
};

/** A recorded root, and the digest of the list of its leaves. */
export type RecordedRoot = { readonly root: Hex; readonly listDigest: Hex };

/** Request hashes that were recorded alone, and roots. */
type Recorded = {
  readonly requestHashes: readonly Hex[];
  readonly roots: readonly RecordedRoot[];
};

type Options = {
  readonly chainId: number;
  readonly rpcUrls: NodeUrls;
  readonly address: Hex;
  /** How many blocks, including its own, an entry needs to count. */
  readonly confirmations: number;
  readonly timeoutMs?: number;
};
type Chain = Options & { readonly client: PublicClient };

/** Nodes limit how many blocks one log query may span. */
const spanBlocks = 1_000n;

export function makeInbox(options: Options): Inbox {
  const { chainId, rpcUrls, timeoutMs = 5_000 } = options;
  const client = createPublicClient({
    transport: nodeTransport({ chainId, urls: rpcUrls, timeoutMs }),
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
    isRootRecorded: (root) => quietly(() => isRootRecorded(chain, root)),
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

async function isRootRecorded(chain: Chain, root: Hex): Promise<boolean> {
  const { number: blockNumber } = await readHead(chain);
  const found = await chain.client.readContract({
    ...{ address: chain.address, abi: inboxAbi, functionName: "rootOf", args: [root], blockNumber },
  });
  return found.blockNumber !== 0n;
}

const records = inboxAbi.filter(
  (item) => item.type === "event" && (item.name === "Recorded" || item.name === "RootRecorded"),
);
const signatures = records.map((event) => toEventSelector(event));

/** Both events name the service in the same place, so that one query finds both. */
async function listRecorded(
  { client, address }: Chain,
  { inbox, from, to }: { readonly inbox: Hex; readonly from: bigint; readonly to: bigint },
): Promise<Recorded> {
  const requestHashes: Hex[] = [];
  const roots: { readonly root: Hex; readonly listDigest: Hex }[] = [];
  for (let first = from; first <= to; first += spanBlocks) {
    const last = first + spanBlocks - 1n;
    const logs = await client.request({
      method: "eth_getLogs",
      params: [
        {
          address,
          topics: [signatures, null, pad(inbox)],
          fromBlock: numberToHex(first),
          toBlock: numberToHex(last < to ? last : to),
        },
      ],
    });
    for (const event of parseEventLogs({ abi: records, logs, strict: true }))
      if (event.eventName === "Recorded") requestHashes.push(lowerCase(event.args.requestHash));
      else roots.push({ root: lowerCase(event.args.root), listDigest: lowerCase(event.args.listDigest) });
  }
  return { requestHashes, roots };
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
