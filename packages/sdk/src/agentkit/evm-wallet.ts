// AgentKit's `EvmWalletProvider` as far as the guard needs it, so that AgentKit is no dependency.
import type { Hex } from "../types.ts";

/** The members of AgentKit's `EvmWalletProvider` that the guard uses. */
export type EvmWallet = {
  /** Returns the wallet's account. */
  readonly getAddress: () => string;
  /** Returns the name of the kind of provider. */
  readonly getName: () => string;
  /** Returns the network that the wallet is set up for. */
  readonly getNetwork: () => { readonly protocolFamily: string; readonly chainId?: string };
  /** Returns the balance in wei. */
  readonly getBalance: () => Promise<bigint>;
  /** Returns a client of the wallet's node. */
  readonly getPublicClient: () => NodeClient;
  /** Calls a contract without a transaction. */
  readonly readContract: (params: never) => Promise<unknown>;
  /** Waits until a transaction is mined. */
  readonly waitForTransactionReceipt: (hash: Hex) => Promise<unknown>;
  /** Signs a transaction and sends it. */
  readonly sendTransaction: (transaction: { to: Hex; value: bigint; data: Hex }) => Promise<Hex>;
  /** Signs EIP-712 data. */
  readonly signTypedData: (typedData: unknown) => Promise<Hex>;
};

/** The members of a viem public client that the guard uses. */
export type NodeClient = {
  /** The chain's settings, as viem defines them. */
  readonly chain?: unknown;
  /** Milliseconds between two polls. */
  readonly pollingInterval: number;
  /** Milliseconds that the block number is cached. */
  readonly cacheTime: number;
  /** Sends a request to the node. */
  readonly request: (asked: never) => Promise<unknown>;
};
