// The chain as a test needs it: its own wallets with money, blocks when they are wanted, and changes of mind.
import { inboxAbi } from "@countersign/contracts/abi";
import { registrationRoot } from "@countersign/wire";
import { cidOf, readRegistrations } from "@countersign/wire/envelope";
import {
  createTestClient,
  http,
  parseEther,
  publicActions,
  walletActions,
  type Hex,
  type PrivateKeyAccount,
} from "viem";
import { fetchOk } from "../engines/wait.ts";

export type Call = { readonly to: Hex; readonly value: bigint; readonly data: Hex };

type Client = ReturnType<typeof connect>;

const connect = (rpcUrl: string) =>
  createTestClient({ mode: "anvil", transport: http(rpcUrl), pollingInterval: 50 })
    .extend(publicActions)
    .extend(walletActions);

export type Chain = ReturnType<typeof talkTo> & ReturnType<typeof makeMiner> & { readonly client: Client };

export function makeChain(rpcUrl: string): Chain {
  const client = connect(rpcUrl);
  return { client, ...talkTo(client), ...makeMiner(client) };
}

/** When there are blocks, and which of them are taken back. */
function makeMiner(client: Client) {
  let mining: NodeJS.Timeout | undefined;
  return {
    mine: async (blocks: number): Promise<void> => {
      if (blocks > 0) await client.mine({ blocks });
    },
    /** In addition to one block per second, so that tests do not wait. */
    mineEvery: (ms: number) => {
      clearInterval(mining);
      mining = setInterval(() => {
        client.mine({ blocks: 1 }).catch(() => undefined);
      }, ms);
    },
    stopMining: () => {
      clearInterval(mining);
    },
    /** From now on there are blocks only when a test makes them; or each second again. */
    holdStill: (isStill: boolean) => client.setIntervalMining({ interval: isStill ? 0 : 1 }),
    /** How many of the newest blocks must be replaced to take it out; 1 for the newest. */
    depthOf: async (block: bigint): Promise<number> =>
      Number((await client.getBlockNumber({ cacheTime: 0 })) - block) + 1,
    /** Replaces the newest blocks by empty ones: what was in them is in no block any more. */
    reorganise: (depth: number) =>
      client.request<{ Method: string; Parameters: [number, []]; ReturnType: null }>({
        method: "anvil_reorg",
        params: [depth, []],
      }),
  };
}

type RecordedRoot = { readonly blockNumber: bigint; readonly requestHashes: readonly Hex[] };

/** All recorded roots. The lists of their leaves come from IPFS, as for everyone else. */
async function listRoots(client: Client, inbox: Hex, ipfsUrl: string): Promise<readonly RecordedRoot[]> {
  const logs = await client.getContractEvents({
    ...{ address: inbox, abi: inboxAbi, eventName: "RootRecorded", fromBlock: 0n, strict: true },
  });
  return Promise.all(
    logs.map(async ({ args, blockNumber }) => {
      const answer = await fetchOk(`${ipfsUrl}/ipfs/${cidOf(args.listDigest)}?format=raw`);
      const list = readRegistrations(new Uint8Array(await answer.arrayBuffer()));
      if (list === undefined || registrationRoot(list) !== args.root)
        throw new Error(`the list of the root ${args.root} is another one`);
      return { blockNumber, requestHashes: list.entries.map(({ requestHash }) => requestHash) };
    }),
  );
}

function talkTo(client: Client) {
  let sending: Promise<unknown> = Promise.resolve();
  return {
    giveMoney: (address: Hex) => client.setBalance({ address, value: parseEther("100") }),
    /** One after the other: two at once would take the same nonce. */
    send: (account: PrivateKeyAccount, call: Call): Promise<Hex> => {
      const sent = sending.then(() => client.sendTransaction({ account, chain: null, ...call }));
      sending = sent.catch(() => undefined);
      return sent;
    },
    /** The bytes of a transaction, as they were sent. */
    rawOf: async (hash: Hex): Promise<Hex> => {
      const raw = await client.request<{ Method: string; Parameters: [Hex]; ReturnType: Hex | null }>({
        method: "eth_getRawTransactionByHash",
        params: [hash],
      });
      if (raw === null) throw new Error(`the chain does not know ${hash}`);
      return raw;
    },
    /** How often each request hash was recorded, as a leaf of a root. */
    listRecorded: async (inbox: Hex, ipfsUrl: string): Promise<ReadonlyMap<Hex, number>> => {
      const counts = new Map<Hex, number>();
      for (const { requestHashes } of await listRoots(client, inbox, ipfsUrl))
        for (const requestHash of requestHashes) counts.set(requestHash, (counts.get(requestHash) ?? 0) + 1);
      return counts;
    },
    /** The block that has a proposal's root. */
    blockOfRegistration: async (inbox: Hex, ipfsUrl: string, requestHash: Hex): Promise<bigint> => {
      const roots = await listRoots(client, inbox, ipfsUrl);
      const root = roots.find(({ requestHashes }) => requestHashes.includes(requestHash));
      if (root === undefined) throw new Error("it is not registered");
      return root.blockNumber;
    },
  };
}
