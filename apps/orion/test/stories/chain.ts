// Changes that an attacker, or the market, makes to the chain before a transaction is proposed.
import {
  createTestClient,
  encodeAbiParameters,
  erc20Abi,
  http,
  keccak256,
  publicActions,
  toHex,
  walletActions,
} from "viem";
import type { Hex } from "@countersign/wire";
import { compileContracts } from "../../../../packages/evm/test/compile.ts";
import { tokens, type Call } from "./calls.ts";

export type Chain = ReturnType<typeof openChain>;

const connect = (url: string) =>
  createTestClient({ mode: "anvil", transport: http(url, { timeout: 60_000 }), cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions);

const mapped = (key: Hex, slot: bigint | Hex): Hex =>
  keccak256(
    encodeAbiParameters(
      [{ type: "address" }, { type: "bytes32" }],
      [key, typeof slot === "bigint" ? toHex(slot, { size: 32 }) : slot],
    ),
  );
const word = (value: bigint): Hex => toHex(value, { size: 32 });

/** Where USDC keeps the address of its implementation. */
const oldProxySlot: Hex = "0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3";

export function openChain(url: string) {
  const client = connect(url);
  const store = (address: Hex, index: Hex, value: bigint) =>
    client.setStorageAt({ address, index, value: word(value) });
  /** Returns the fee. */
  const send = async (account: Hex, { to, value = 0n, data = "0x" }: Call): Promise<bigint> => {
    // Estimates are too low for some swaps over two pools.
    const hash = await client.sendTransaction({ account, chain: null, to, value, data, gas: 2_000_000n });
    const receipt = await client.waitForTransactionReceipt({ hash, pollingInterval: 30 });
    if (receipt.status !== "success") throw new Error("a transaction of a story reverted");
    return receipt.gasUsed * receipt.effectiveGasPrice;
  };
  const balanceOf = (address: Hex, account: Hex): Promise<bigint> =>
    client.readContract({ address, abi: erc20Abi, functionName: "balanceOf", args: [account] });
  return {
    send,
    /** Returns the balances of the account, by symbol. */
    heldBy: async (account: Hex): Promise<ReadonlyMap<string, bigint>> => {
      const held = new Map([["ETH", await client.getBalance({ address: account })]]);
      for (const [symbol, { address }] of Object.entries(tokens))
        held.set(symbol, await balanceOf(address, account));
      return held;
    },
    setBalance: (address: Hex, value: bigint) => client.setBalance({ address, value }),
    /** Replaces a token by a contract of packages/evm/test/contracts.sol, whose balances are in slot 0. */
    replaceToken: async (token: Hex, contract: string, held: Readonly<Record<Hex, bigint>>) => {
      await client.setCode({ address: token, bytecode: compileContracts().codeOf(contract) });
      for (const [holder, amount] of Object.entries(held))
        await store(token, mapped(holder as Hex, 0n), amount);
    },
    setCode: (address: Hex, bytecode: Hex) => client.setCode({ address, bytecode }),
    setSlot: (address: Hex, slot: bigint, value: bigint) => store(address, word(slot), value),
    /** The entry of a mapping. */
    setEntry: (address: Hex, { slot, key }: { readonly slot: bigint; readonly key: Hex }, value: bigint) =>
      store(address, mapped(key, slot), value),
    /** Makes USDC's proxy use this contract. */
    switchProxy: async (proxy: Hex, contract: string, held: Readonly<Record<Hex, bigint>>) => {
      const implementation: Hex = `0x${"1a".repeat(20)}`;
      await client.setCode({ address: implementation, bytecode: compileContracts().codeOf(contract) });
      await store(proxy, oldProxySlot, BigInt(implementation));
      for (const [holder, amount] of Object.entries(held))
        await store(proxy, mapped(holder as Hex, 0n), amount);
    },
    blockNumber: () => client.getBlockNumber(),
    /** A block with the time of the clock, because the validator refuses old ones. A revert sets the chain's clock back. */
    mine: async (): Promise<void> => {
      const { timestamp: last } = await client.getBlock();
      const now = BigInt(Math.floor(Date.now() / 1000));
      await client.setNextBlockTimestamp({ timestamp: now > last ? now : last + 1n });
      await client.mine({ blocks: 1 });
    },
    /** Runs on a copy of the chain. */
    apart: async <T>(work: () => Promise<T>): Promise<T> => {
      const id = await client.snapshot();
      try {
        return await work();
      } finally {
        await client.revert({ id });
      }
    },
  };
}
