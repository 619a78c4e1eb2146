// Reads what happened on one chain.
import {
  BlockNotFoundError,
  keccak256,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
  type PublicClient,
} from "viem";
import type { Hex } from "@countersign/wire";
import { lowerCase, makeNode, orUndefined, type NodeOptions } from "./node.ts";

/** A transaction in a block, in lower case. */
export type SentCall = {
  readonly hash: Hex;
  readonly from: Hex;
  /** Null when it makes a contract. */
  readonly to: Hex | null;
  readonly value: bigint;
  readonly dataHash: Hex;
};

/** One that may be in no block yet: then the last two are null. */
type FoundCall = SentCall & { readonly block: bigint | null; readonly blockHash: Hex | null };

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
  /** Undefined when the node has never seen it, or has forgotten it: it may still be under way elsewhere. */
  readonly readCall: (hash: Hex) => Promise<FoundCall | undefined>;
};

export function makeChainReader(options: NodeOptions): ChainReader {
  const { client, ask } = makeNode(options);
  return {
    chainId: options.chainId,
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
    readCall: (hash) => ask(() => readCall(client, hash)),
  };
}

const headerOf = ({ number, hash, timestamp }: Header): Header => ({
  number,
  hash: lowerCase(hash),
  timestamp,
});

type Told = Omit<SentCall, "dataHash"> & { readonly input: Hex };

const callOf = ({ hash, from, to, value, input }: Told): SentCall => ({
  hash: lowerCase(hash),
  from: lowerCase(from),
  to: to === null ? null : lowerCase(to),
  value,
  dataHash: keccak256(input),
});

const readBlock = (client: PublicClient, number: bigint): Promise<Block | undefined> =>
  orUndefined(BlockNotFoundError, async () => {
    const block = await client.getBlock({ blockNumber: number, includeTransactions: true });
    return {
      ...headerOf(block),
      parentHash: lowerCase(block.parentHash),
      calls: block.transactions.map(callOf),
    };
  });

const readReceipt = (client: PublicClient, hash: Hex): Promise<Receipt | undefined> =>
  orUndefined(TransactionReceiptNotFoundError, async () => {
    const { status, blockNumber, blockHash } = await client.getTransactionReceipt({ hash });
    return { succeeded: status === "success", block: blockNumber, blockHash: lowerCase(blockHash) };
  });

const readCall = (client: PublicClient, hash: Hex): Promise<FoundCall | undefined> =>
  orUndefined(TransactionNotFoundError, async () => {
    const told = await client.getTransaction({ hash });
    return { ...callOf(told), ...placeOf(told) };
  });

/** viem's types know of no transaction that waits. */
type Placed = { readonly blockNumber: bigint | null; readonly blockHash: Hex | null };

const placeOf = ({ blockNumber: block, blockHash }: Placed): Pick<FoundCall, "block" | "blockHash"> => ({
  block,
  blockHash: blockHash === null ? null : lowerCase(blockHash),
});
