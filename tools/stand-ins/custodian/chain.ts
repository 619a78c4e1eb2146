// The custodian's hands: it holds the keys of the vaults, signs with them and sends.
import {
  createPublicClient,
  createTestClient,
  http,
  serializeTransaction,
  type Hex,
  type TransactionSerializableEIP1559,
} from "viem";
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from "viem/accounts";

export type Unsigned = TransactionSerializableEIP1559 & { readonly to: Hex; readonly value: bigint };

export type Chain = {
  /** Money out of nothing: works on a development chain only. */
  readonly fund: (address: Hex) => Promise<void>;
  readonly prepare: (account: PrivateKeyAccount, call: Call) => Promise<Unsigned>;
  readonly send: (account: PrivateKeyAccount, unsigned: Unsigned) => Promise<Hex>;
  /** Resolves once it is in a block. */
  readonly waitFor: (hash: Hex) => Promise<"success" | "reverted">;
  /** The hash of an unrelated transaction. */
  readonly sendUnrelated: () => Promise<Hex>;
};

type Call = { readonly to: Hex; readonly value: bigint; readonly data: Hex };

const ether = 10n ** 18n;
/** For a call that fails when it is tried: sent all the same, it fails on the chain, for all to see. */
const gasOfFailure = 500_000n;

export const serialize = (unsigned: Unsigned): Hex => serializeTransaction(unsigned);

export function makeChain(rpcUrl: string, chainId: number): Chain {
  const transport = http(rpcUrl, { retryCount: 2, timeout: 10_000 });
  const client = createPublicClient({ transport, pollingInterval: 100, cacheTime: 0 });
  const anvil = createTestClient({ mode: "anvil", transport });
  /** Past what was sent already, even where the chain has not seen it yet. */
  const next = new Map<Hex, number>();
  const chain: Chain = {
    fund: async (address) => {
      await anvil.setBalance({ address, value: 100n * ether });
    },
    prepare: async (account, { to, value, data }) => {
      const { address } = account;
      const [pending, fees, gas] = await Promise.all([
        client.getTransactionCount({ address, blockTag: "pending" }),
        client.estimateFeesPerGas(),
        client.estimateGas({ account, to, value, data }).catch(() => gasOfFailure),
      ]);
      const nonce = Math.max(pending, next.get(address) ?? 0);
      return { type: "eip1559", chainId, nonce, to, value, data, gas, ...fees };
    },
    send: async (account, unsigned) => {
      const hash = await client.sendRawTransaction({
        serializedTransaction: await account.signTransaction(unsigned),
      });
      next.set(account.address, (unsigned.nonce ?? 0) + 1);
      return hash;
    },
    waitFor: async (hash) => (await client.waitForTransactionReceipt({ hash, timeout: 120_000 })).status,
    sendUnrelated: async () => {
      const stranger = privateKeyToAccount(generatePrivateKey());
      await chain.fund(stranger.address);
      const call = { to: stranger.address, value: 1n, data: "0x" } as const;
      return await chain.send(stranger, await chain.prepare(stranger, call));
    },
  };
  return chain;
}
