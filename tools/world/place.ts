// Places a contract at a chosen address: the constructor itself runs there, so that immutables, storage and the addresses of
// contracts that it creates are as they would be.
import { setTimeout as sleep } from "node:timers/promises";
import {
  createTestClient,
  encodeDeployData,
  encodeFunctionData,
  http,
  parseEther,
  publicActions,
  walletActions,
  type Abi,
  type Hex,
  TransactionReceiptNotFoundError,
  type TransactionReceipt,
} from "viem";
import { deployer } from "./addresses.ts";
import type { Artifact } from "./artifacts.ts";

/** Below the maximum of EIP-7825, and of anvil's blocks. */
const gas = 15_000_000n;

async function orUndefined<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return undefined;
    throw error;
  }
}

type Sending = { readonly from?: Hex; readonly to?: Hex; readonly data?: Hex; readonly value?: bigint };
type Writing = { readonly to: Hex; readonly abi: Abi; readonly from?: Hex };

const connect = (url: string) =>
  createTestClient({ mode: "anvil", transport: http(url, { timeout: 60_000 }), cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions);
type Chain = ReturnType<typeof connect>;

/** anvil answers before it mines, a few milliseconds later. viem's watcher would take several requests. */
async function readReceipt(chain: Chain, hash: Hex): Promise<TransactionReceipt> {
  for (let tries = 0; tries < 2_000; tries++) {
    const receipt = await orUndefined(chain.getTransactionReceipt({ hash }));
    if (receipt !== undefined) return receipt;
    await sleep(5);
  }
  throw new Error(`transaction ${hash} was not mined`);
}

async function send(chain: Chain, { from = deployer, to, data = "0x", value = 0n }: Sending) {
  const target = to === undefined ? {} : { to };
  const hash = await chain.sendTransaction({ account: from, chain: null, data, value, gas, ...target });
  const receipt = await readReceipt(chain, hash);
  if (receipt.status === "success") return receipt;
  // Throws with the contract's reason.
  await chain.call({ account: from, data, value, gas, ...target });
  throw new Error(`a transaction to ${to ?? "a new contract"} reverted`);
}

async function place(chain: Chain, address: Hex, initCode: Hex): Promise<void> {
  await chain.setCode({ address, bytecode: initCode });
  // EIP-161: a contract begins with nonce 1. Contracts that it creates get their addresses from it.
  await chain.setNonce({ address, nonce: 1 });
  const { data: runtime } = await chain.call({ account: deployer, to: address, gas });
  if (runtime === undefined) throw new Error(`the constructor at ${address} returned no code`);
  // Once more as a transaction, so that its storage stays.
  await send(chain, { to: address });
  await chain.setCode({ address, bytecode: runtime });
}

export type Stage = {
  readonly chain: Chain;
  /** Lets all accounts send, and mines a block for each transaction. */
  readonly open: () => Promise<void>;
  /** Sends as any account, by default the deployer. Throws if it reverts. */
  readonly send: (sending: Sending) => Promise<TransactionReceipt>;
  readonly write: (
    where: Writing,
    functionName: string,
    args: readonly unknown[],
  ) => Promise<TransactionReceipt>;
  readonly read: (
    where: Pick<Writing, "to" | "abi">,
    functionName: string,
    args?: readonly unknown[],
  ) => Promise<unknown>;
  /** Deploys at a new address, which it returns. */
  readonly create: (artifact: Artifact, args?: readonly unknown[]) => Promise<Hex>;
  /** Deploys at this address. */
  readonly place: (address: Hex, artifact: Artifact, args?: readonly unknown[]) => Promise<void>;
  readonly fund: (address: Hex, ether: string) => Promise<void>;
};

export function makeStage(url: string): Stage {
  const chain = connect(url);
  return {
    chain,
    open: async () => {
      await chain.setIntervalMining({ interval: 0 });
      await chain.setAutomine(true);
      await chain.request({ method: "anvil_autoImpersonateAccount", params: [true] } as never);
    },
    send: (sending) => send(chain, sending),
    write: ({ to, abi, from = deployer }, functionName, args) =>
      send(chain, { from, to, data: encodeFunctionData({ abi, functionName, args }) }),
    read: ({ to, abi }, functionName, args = []) =>
      chain.readContract({ address: to, abi, functionName, args }),
    create: async ({ abi, bytecode }, args = []) => {
      const { contractAddress } = await send(chain, { data: encodeDeployData({ abi, bytecode, args }) });
      if (!contractAddress) throw new Error("no contract was created");
      return contractAddress;
    },
    place: (address, { abi, bytecode }, args = []) =>
      place(chain, address, encodeDeployData({ abi, bytecode, args })),
    fund: (address, ether) => chain.setBalance({ address, value: parseEther(ether) }),
  };
}
