// A real chain, and contracts on it that a test can change.
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createTestClient, http, parseEther, publicActions, walletActions } from "viem";
import { encodeFunctionData } from "viem/utils";
import { makeSupervisor, startAnvil } from "@countersign/tools/engines";
import { freePorts, makeTempDir } from "@countersign/tools/testing";
import type { Hex } from "../../../../src/transactions/transaction.ts";
import { compileSolidity, type CompiledContract } from "../../../compile-solidity.ts";

const source = join(import.meta.dirname, "world.sol");

export const somewhere = (): Hex => `0x${randomBytes(20).toString("hex")}`;

export type Harness = Awaited<ReturnType<typeof setHarness>>;

export async function setHarness() {
  const contracts = compileSolidity(source);
  const dir = makeTempDir("preflight");
  const supervisor = makeSupervisor({ logDir: dir });
  const [port = 0] = await freePorts(1);
  const anvil = await startAnvil({ supervisor, dir: `${dir}/anvil`, port });
  const chain = createTestClient({ mode: "anvil", transport: http(anvil.url), cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions);
  // From here on a block is mined for each transaction, and when a test says so.
  await chain.setIntervalMining({ interval: 0 });
  await chain.setAutomine(true);
  const contractOf = (name: string): CompiledContract => {
    const found = contracts[name];
    if (found === undefined) throw new Error(`there is no ${name} in world.sol`);
    return found;
  };
  const codeOf = (name: string): Hex => `0x${contractOf(name).evm.deployedBytecode.object}`;
  const encode = (name: string, functionName: string, ...args: readonly unknown[]): Hex =>
    encodeFunctionData({ abi: contractOf(name).abi, functionName, args });
  const aWallet = async (): Promise<Hex> => {
    const address = somewhere();
    await chain.setBalance({ address, value: parseEther("100") });
    await chain.impersonateAccount({ address });
    return address;
  };
  const somebody = await aWallet();

  return {
    url: anvil.url,
    chainId: anvil.chainId,
    chain,
    codeOf,
    encode,
    /** With funds, and ready to send. */
    aWallet,
    place: async (name: string): Promise<Hex> => {
      const address = somewhere();
      await chain.setCode({ address, bytecode: codeOf(name) });
      return address;
    },
    /** Another account changes a contract. */
    tell: async (to: Hex, data: Hex): Promise<void> => {
      const hash = await chain.sendTransaction({ account: somebody, chain: null, to, data });
      const { status } = await chain.waitForTransactionReceipt({ hash, pollingInterval: 50 });
      if (status !== "success") throw new Error("the harness could not be set");
    },
    close: async (): Promise<void> => {
      await supervisor.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
