// Reads blocks of one chain. What a node says is believed about that chain and nothing else; a node of another chain is
// refused whenever the head is asked for, and after every failure, because another one may have taken its place.
import {
  BaseError,
  BlockNotFoundError,
  createPublicClient,
  http,
  keccak256,
  TransactionReceiptNotFoundError,
  type PublicClient,
} from "viem";
import type { Hex } from "@countersign/wire";

/** A transaction in a block, in lower case. */
export type SentCall = {
  readonly hash: Hex;
  readonly from: Hex;
  /** Null when it makes a contract. */
  readonly to: Hex | null;
  readonly value: bigint;
  readonly dataHash: Hex;
};

export type Header = {
  readonly number: bigint;
  readonly hash: Hex;
  /** Unix seconds, by the chain's own clock. */
  readonly timestamp: bigint;
};

export type Block = Header & { readonly parentHash: Hex; readonly calls: readonly SentCall[] };

export type Receipt = { readonly succeeded: boolean; readonly block: bigint; readonly blockHash: Hex };

export type ChainReader = {
  readonly chainId: number;
  readonly readHead: () => Promise<Header>;
  /** The newest block that can no longer go away; a young chain has none but its first. */
  readonly readFinalized: () => Promise<bigint>;
  /** Undefined when the chain has none of that number. */
  readonly readBlock: (number: bigint) => Promise<Block | undefined>;
  readonly readHeader: (number: bigint) => Promise<Header | undefined>;
  /** Undefined when it is in no block. */
  readonly readReceipt: (hash: Hex) => Promise<Receipt | undefined>;
};

const lowerCase = (hex: Hex): Hex => hex.toLowerCase() as Hex;

export function makeChainReader({
  chainId,
  rpcUrl,
  timeoutMs = 5_000,
}: {
  readonly chainId: number;
  readonly rpcUrl: string;
  readonly timeoutMs?: number;
}): ChainReader {
  const client = createPublicClient({
    transport: http(rpcUrl, { retryCount: 0, timeout: timeoutMs }),
    ccipRead: false,
    cacheTime: 0,
  });
  const ask = makeAsk(client, chainId);
  return {
    chainId,
    readHead: () => ask(async () => headerOf(await client.getBlock({ blockTag: "latest" })), "anew"),
    readFinalized: () =>
      ask(async () => {
        const found = await orUndefined(BlockNotFoundError, () => client.getBlock({ blockTag: "finalized" }));
        return found?.number ?? 0n;
      }),
    readBlock: (number) => ask(() => readBlock(client, number)),
    readHeader: (number) =>
      ask(() =>
        orUndefined(BlockNotFoundError, async () => headerOf(await client.getBlock({ blockNumber: number }))),
      ),
    readReceipt: (hash) => ask(() => readReceipt(client, hash)),
  };
}

type Ask = <T>(question: () => Promise<T>, introduction?: "anew") => Promise<T>;

/** Asks a node that has said which chain it serves. */
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

const headerOf = ({ number, hash, timestamp }: Header): Header => ({
  number,
  hash: lowerCase(hash),
  timestamp,
});

async function checkChain(client: PublicClient, chainId: number): Promise<void> {
  const served = await client.getChainId();
  if (served !== chainId) throw new Error(`the node configured for chain ${chainId} serves chain ${served}`);
}

const readBlock = (client: PublicClient, number: bigint): Promise<Block | undefined> =>
  orUndefined(BlockNotFoundError, async () => {
    const block = await client.getBlock({ blockNumber: number, includeTransactions: true });
    return {
      ...headerOf(block),
      parentHash: lowerCase(block.parentHash),
      calls: block.transactions.map(({ hash, from, to, value, input }) => ({
        hash: lowerCase(hash),
        from: lowerCase(from),
        to: to === null ? null : lowerCase(to),
        value,
        dataHash: keccak256(input),
      })),
    };
  });

const readReceipt = (client: PublicClient, hash: Hex): Promise<Receipt | undefined> =>
  orUndefined(TransactionReceiptNotFoundError, async () => {
    const { status, blockNumber, blockHash } = await client.getTransactionReceipt({ hash });
    return { succeeded: status === "success", block: blockNumber, blockHash: lowerCase(blockHash) };
  });

async function orUndefined<T>(
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

/** viem puts the node's address in its messages, and that may hold an access key. */
function quietened(chainId: number, error: unknown): Error {
  if (error instanceof BaseError) return new Error(`chain ${chainId}: ${error.shortMessage}`);
  return new Error(error instanceof Error ? error.message : `chain ${chainId} could not be asked`);
}
