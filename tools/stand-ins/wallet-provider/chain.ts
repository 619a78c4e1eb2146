// The wallets themselves: plain accounts. With the address of a node they really send; without one they only sign.
import {
  createTestClient,
  createWalletClient,
  http,
  keccak256,
  parseEther,
  publicActions,
  type Hex,
} from "viem";
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from "viem/accounts";

export type Call = { readonly to: Hex; readonly value: bigint; readonly data: Hex; readonly chainId: number };

export type Chain = {
  readonly makeAccount: () => Promise<PrivateKeyAccount>;
  /** The hash. Throws if the node does not take it. */
  readonly send: (account: PrivateKeyAccount, call: Call) => Promise<Hex>;
  readonly statusOf: (hash: Hex) => Promise<"broadcasted" | "confirmed" | "execution_reverted">;
};

/** Signs, and sends nothing. */
export function makeNoChain(): Chain {
  let nonce = 0;
  return {
    makeAccount: () => Promise.resolve(privateKeyToAccount(generatePrivateKey())),
    send: async (account, call) => {
      const fees = { gas: 100_000n, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n };
      return keccak256(await account.signTransaction({ type: "eip1559", nonce: nonce++, ...fees, ...call }));
    },
    statusOf: () => Promise.resolve("broadcasted"),
  };
}

export function makeChain(rpcUrl: string): Chain {
  const transport = http(rpcUrl);
  const node = createTestClient({ mode: "anvil", transport }).extend(publicActions);
  return {
    makeAccount: async () => {
      const account = privateKeyToAccount(generatePrivateKey());
      await node.setBalance({ address: account.address, value: parseEther("10") });
      return account;
    },
    send: async (account, { chainId, ...call }) => {
      if ((await node.getChainId()) !== chainId) throw new Error("the node is of another chain");
      return createWalletClient({ account, transport }).sendTransaction({ ...call, chain: null });
    },
    statusOf: async (hash) => {
      const receipt = await node.getTransactionReceipt({ hash }).catch(() => undefined);
      if (receipt === undefined) return "broadcasted";
      return receipt.status === "success" ? "confirmed" : "execution_reverted";
    },
  };
}
