// An in-process chain for one case: tokens, venues and accounts at the addresses in the calldata, and readers for their
// balances.
import { createEVM } from "@ethereumjs/evm";
import { SimpleStateManager } from "@ethereumjs/statemanager";
import {
  createAccount,
  Address,
  bytesToBigInt,
  hexToBytes,
  setLengthLeft,
  bigIntToBytes,
} from "@ethereumjs/util";
import { keccak256 } from "ethers";
import type { Call } from "../types.ts";

const slots = new Map<string, string>();
const at = (address: string): Address => new Address(hexToBytes(address.toLowerCase() as `0x${string}`));
const word = (value: bigint): Uint8Array => setLengthLeft(bigIntToBytes(value), 32);

/** Storage slot of mapping[key]. Cached, because hashing dominates the time of a case. */
function slotOf(key: string, slot: bigint | string): string {
  const tail = typeof slot === "bigint" ? slot.toString(16).padStart(64, "0") : slot.slice(2);
  const input = `0x${key.slice(2).toLowerCase().padStart(64, "0")}${tail}`;
  let found = slots.get(input);
  if (found === undefined) {
    found = keccak256(input);
    slots.set(input, found);
  }
  return found;
}

// One EVM for all cases, because creating it costs more than running a case. Each case runs between a checkpoint and
// its revert.
const state = new SimpleStateManager();
const evm = await createEVM({ stateManager: state });

export class World {
  private readonly state = state;
  private readonly now: bigint;

  private constructor(now: number) {
    this.now = BigInt(now);
  }

  static async with<T>(now: number, body: (world: World) => Promise<T>): Promise<T> {
    await state.checkpoint();
    try {
      return await body(new World(now));
    } finally {
      await state.revert();
      slots.clear();
    }
  }

  async setCode(address: string, code: string): Promise<void> {
    await this.state.putCode(at(address), hexToBytes(code as `0x${string}`));
  }

  async setNative(address: string, balance: bigint): Promise<void> {
    const old = (await this.state.getAccount(at(address))) ?? createAccount({});
    old.balance = balance;
    await this.state.putAccount(at(address), old);
  }

  async setToken(token: string, holder: string, balance: bigint): Promise<void> {
    await this.state.putStorage(at(token), hexToBytes(slotOf(holder, 0n) as `0x${string}`), word(balance));
  }

  async setAllowance(token: string, owner: string, spender: string, amount: bigint): Promise<void> {
    const slot = slotOf(spender, slotOf(owner, 1n));
    await this.state.putStorage(at(token), hexToBytes(slot as `0x${string}`), word(amount));
  }

  private async read(address: string, slot: string): Promise<bigint> {
    if (!(await this.state.getAccount(at(address)))) return 0n;
    const raw = await this.state.getStorage(at(address), hexToBytes(slot as `0x${string}`));
    return raw.length === 0 ? 0n : bytesToBigInt(raw);
  }

  token(token: string, holder: string): Promise<bigint> {
    return this.read(token, slotOf(holder, 0n));
  }

  allowance(token: string, owner: string, spender: string): Promise<bigint> {
    return this.read(token, slotOf(spender, slotOf(owner, 1n)));
  }

  /** Reads a signed entry of the pool's ledgers. */
  async ledger(pool: string, name: "position" | "debt", owner: string, asset: string): Promise<bigint> {
    const raw = await this.read(pool, slotOf(asset, slotOf(owner, name === "position" ? 0n : 1n)));
    return BigInt.asIntN(256, raw);
  }

  async native(address: string): Promise<bigint> {
    return (await this.state.getAccount(at(address)))?.balance ?? 0n;
  }

  /** Returns whether the call succeeded. */
  async send(from: string, call: Call): Promise<boolean> {
    const result = await evm.runCall({
      caller: at(from),
      origin: at(from),
      to: at(call.to),
      data: hexToBytes(call.data as `0x${string}`),
      value: call.value,
      gasLimit: 10_000_000n,
      block: { header: this.header() } as never,
    });
    return result.execResult.exceptionError === undefined;
  }

  private header(): object {
    return {
      number: 1n,
      coinbase: at("0x" + "00".repeat(20)),
      timestamp: this.now,
      difficulty: 0n,
      prevRandao: new Uint8Array(32),
      gasLimit: 30_000_000n,
      baseFeePerGas: 1n,
      getBlobGasPrice: () => 1n,
    };
  }
}
