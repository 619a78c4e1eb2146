// Deploys a Safe with protocol-kit on a local chain, and gives it coin.
import protocolKit from "@safe-global/protocol-kit";
import { createTestClient, http, parseEther, publicActions, walletActions, type Hex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";

// The kit's types describe a CommonJS module, so TypeScript's NodeNext expects `.default` here. Node does not.
export const Safe = protocolKit as unknown as typeof protocolKit.default;

export async function deploySafe(
  rpcUrl: string,
  safeAccountConfig: { owners: string[]; threshold: number },
): Promise<Hex> {
  const chain = createTestClient({ mode: "anvil", transport: http(rpcUrl), pollingInterval: 200 })
    .extend(publicActions)
    .extend(walletActions);
  const payer = privateKeyToAccount(generatePrivateKey());
  await chain.setBalance({ address: payer.address, value: parseEther("1") });
  const kit = await Safe.init({ provider: rpcUrl, predictedSafe: { safeAccountConfig } });
  const { to, data, value } = await kit.createSafeDeploymentTransaction();
  const hash = await chain.sendTransaction({
    ...{ account: payer, chain: null, to: to as Hex, data: data as Hex, value: BigInt(value) },
  });
  await chain.waitForTransactionReceipt({ hash });
  const address = (await kit.getAddress()) as Hex;
  await chain.setBalance({ address, value: parseEther("1") });
  return address;
}
