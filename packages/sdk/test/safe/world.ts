// A chain with the real Safe contracts at their addresses, and new Safes on it, made by protocol-kit.
import * as protocolKit from "@safe-global/protocol-kit";
import { createTestClient, http, parseEther, publicActions, walletActions, type Hex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { startWorldChain } from "../../../../tools/testing/world-chain.ts";

// Its types are those of a CommonJS module, although it is imported as an ES module.
export const Safe = protocolKit.default as unknown as typeof protocolKit.default.default;
export type Kit = Awaited<ReturnType<typeof Safe.init>>;
export type SafeTransaction = Parameters<Kit["getTransactionHash"]>[0];

export type Key = { readonly key: Hex; readonly address: Hex };
export const aKey = (): Key => {
  const key = generatePrivateKey();
  return { key, address: privateKeyToAccount(key).address };
};

/** Starts the chain. It has the id of Ethereum. */
export async function startSafeWorld() {
  const { url, stop } = await startWorldChain();
  const node = createTestClient({ mode: "anvil", transport: http(url), cacheTime: 0, pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions);
  const fund = (address: Hex): Promise<void> => node.setBalance({ address, value: parseEther("10") });
  return {
    url,
    node,
    fund,
    /** Deploys a Safe with some coin, and returns its address. */
    deploy: async (owners: readonly Hex[], threshold: number): Promise<Hex> => {
      const saltNonce = String(Date.now() * 1000 + Math.floor(Math.random() * 1000));
      const predictedSafe = {
        safeAccountConfig: { owners: [...owners], threshold },
        safeDeploymentConfig: { saltNonce, safeVersion: "1.4.1" as const },
      };
      const kit = await Safe.init({ provider: url, predictedSafe });
      const { to, data, value } = await kit.createSafeDeploymentTransaction();
      const payer = aKey();
      await fund(payer.address);
      const hash = await node.sendTransaction({
        ...{ account: privateKeyToAccount(payer.key), chain: null },
        ...{ to: to as Hex, data: data as Hex, value: BigInt(value) },
      });
      await node.waitForTransactionReceipt({ hash });
      const address = (await kit.getAddress()) as Hex;
      await fund(address);
      return address;
    },
    open: (safeAddress: Hex, signer: string) => Safe.init({ provider: url, signer, safeAddress }),
    stop,
  };
}
export type SafeWorld = Awaited<ReturnType<typeof startSafeWorld>>;
