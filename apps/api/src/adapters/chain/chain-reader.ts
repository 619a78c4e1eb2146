// Reads the history of one chain.
import {
  BlockNotFoundError,
  keccak256,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
  type PublicClient,
} from "viem";
import type { Hex } from "@countersign/wire";
import { lowerCase, makeNode, orUndefined, type NodeOptions } from "./node.ts";
import {
  readEvents,
  readMined,
  readState,
  type EventFilter,
  type MinedEvent,
  type MinedTransaction,
  type StateQuestion,
} from "./events.ts";
import { outcomeOf, readInnerCall, succeededFor, walletTopics } from "./wallet-calls.ts";

/** A transaction in a block, in lower case. */
export type SentCall = {
  readonly hash: Hex;
  readonly from: Hex;
  /** Null for a contract creation. */
  readonly to: Hex | null;
  readonly value: bigint;
  readonly dataHash: Hex;
};

export type DirectedCall = SentCall & { readonly to: Hex };

export type Header = {
  readonly number: bigint;
  readonly hash: Hex;
  /** Unix seconds, by the chain's own clock. */
  readonly timestamp: bigint;
};

/** An EIP-7702 tuple of a transaction. Whether it took effect is another question. */
type Tuple = { readonly hash: Hex; readonly address: Hex; readonly nonce: bigint };

export type Block = Header & {
  readonly parentHash: Hex;
  readonly calls: readonly SentCall[];
  readonly tuples: readonly Tuple[];
};

export type Receipt = { readonly succeeded: boolean; readonly block: bigint; readonly blockHash: Hex };

export type ChainReader = {
  readonly chainId: number;
  readonly readHead: () => Promise<Header>;
  /** The newest finalized block. On a young chain, the first block. */
  readonly readFinalized: () => Promise<bigint>;
  /** Undefined if the chain has no block with that number. */
  readonly readBlock: (number: bigint) => Promise<Block | undefined>;
  readonly readHeader: (number: bigint) => Promise<Header | undefined>;
  /** Returns the outcome of the wallet's call in that transaction. Undefined if it is in no block. */
  readonly readReceipt: (hash: Hex, wallet: Hex) => Promise<Receipt | undefined>;
  /**
   * Returns the calls that these contract wallets made inside transactions of the block, as far as they can
   * be decoded.
   */
  readonly readInnerCalls: (
    block: Pick<Header, "hash">,
    wallets: ReadonlySet<Hex>,
  ) => Promise<readonly DirectedCall[]>;
  /** Whether the address has code, including a delegation (EIP-7702): others can then make it send calls. */
  readonly hasCode: (address: Hex) => Promise<boolean>;
  /** Returns the events of these contracts in the block that have one of these first topics. */
  readonly readEvents: (block: Pick<Header, "hash">, filter: EventFilter) => Promise<readonly MinedEvent[]>;
  /** Returns a transaction with its events. Undefined if it is in no block. */
  readonly readMined: (hash: Hex) => Promise<MinedTransaction | undefined>;
  /** Reads the state after the block. Undefined if a call reverts. */
  readonly readState: (question: StateQuestion, block: Pick<Header, "hash">) => Promise<Hex | undefined>;
  /** Undefined if the node has never seen it or has dropped it. It may still be pending elsewhere. */
  readonly readCall: (hash: Hex) => Promise<SentCall | undefined>;
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
    readReceipt: (hash, wallet) => ask(() => readReceipt(client, hash, wallet)),
    readInnerCalls: ({ hash }, wallets) => ask(() => readInnerCalls(client, hash, wallets)),
    hasCode: (address) => ask(async () => (await client.getCode({ address })) !== undefined),
    readEvents: ({ hash }, filter) => ask(() => readEvents(client, hash, filter)),
    readMined: (hash) => ask(() => readMined(client, hash)),
    readState: (question, { hash }) => ask(() => readState(client, question, hash)),
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

const tuplesOf = ({ hash, authorizationList = [] }: BlockTransaction): readonly Tuple[] =>
  authorizationList.map(({ address, nonce }) => ({
    hash: lowerCase(hash),
    address: lowerCase(address),
    nonce: BigInt(nonce),
  }));
type BlockTransaction = {
  readonly hash: Hex;
  readonly authorizationList?: readonly { readonly address: Hex; readonly nonce: number }[] | undefined;
};

const readBlock = (client: PublicClient, number: bigint): Promise<Block | undefined> =>
  orUndefined(BlockNotFoundError, async () => {
    const block = await client.getBlock({ blockNumber: number, includeTransactions: true });
    return {
      ...headerOf(block),
      parentHash: lowerCase(block.parentHash),
      calls: block.transactions.map(callOf),
      tuples: block.transactions.flatMap(tuplesOf),
    };
  });

const readReceipt = (client: PublicClient, hash: Hex, wallet: Hex): Promise<Receipt | undefined> =>
  orUndefined(TransactionReceiptNotFoundError, async () => {
    const receipt = await client.getTransactionReceipt({ hash });
    const { blockNumber: block, blockHash } = receipt;
    return { succeeded: succeededFor(receipt, wallet), block, blockHash: lowerCase(blockHash) };
  });

async function readInnerCalls(
  client: PublicClient,
  blockHash: Hex,
  wallets: ReadonlySet<Hex>,
): Promise<readonly DirectedCall[]> {
  const logs = await client.request({
    method: "eth_getLogs",
    params: [{ blockHash, topics: [[...walletTopics]] }],
  });
  const found = new Map<string, { readonly hash: Hex; readonly wallet: Hex }>();
  for (const log of logs) {
    const wallet = outcomeOf(log)?.wallet;
    const { transactionHash: hash } = log;
    if (wallet !== undefined && hash !== null && wallets.has(wallet))
      found.set(`${hash} ${wallet}`, { hash, wallet });
  }
  const calls = [...found.values()].map(async ({ hash, wallet }): Promise<DirectedCall | undefined> => {
    const outer = await client.getTransaction({ hash });
    // The wallet's own transactions are in the block directly.
    if (lowerCase(outer.from) === wallet) return undefined;
    const inner = readInnerCall(outer, wallet);
    return inner === undefined ? undefined : { ...inner, hash: lowerCase(hash), from: wallet };
  });
  return (await Promise.all(calls)).filter((call) => call !== undefined);
}

const readCall = (client: PublicClient, hash: Hex): Promise<SentCall | undefined> =>
  orUndefined(TransactionNotFoundError, async () => callOf(await client.getTransaction({ hash })));
