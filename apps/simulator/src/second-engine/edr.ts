// Executes the calls of a witness with EDR (revm, native code), on a chain of its own that has nothing but the witness. EDR takes
// unknown state as empty; the JavaScript engine, which runs first, has stopped at anything that the witness lacks.
import {
  ContractDecoder,
  EdrContext,
  l1ProviderFactory,
  L1_CHAIN_TYPE,
  MineOrdering,
  type AccountOverride,
  type ProviderConfig,
} from "@nomicfoundation/edr";
import { hexToBytes } from "viem/utils";
import type { BlockValues, EngineResult, FollowingCall, Witness } from "@countersign/evm";
import type { Hex } from "@countersign/wire";
import { noCode, readDiffs, readReceipts, type Diff, type Receipt } from "./edr-result.ts";

/** The parts of a verified witness that are executed, and the block they are executed in. */
export type EdrScene = Pick<Witness, "chainId" | "hardfork" | "call" | "accounts" | "codes"> & {
  /** Those that are made: not the ones after a call that fails. */
  readonly following: readonly FollowingCall[];
  readonly block: BlockValues;
};

export type Edr = {
  /** Throws an Error with the engine's text if the engine cannot be set up for this scene. */
  readonly execute: (scene: EdrScene) => Promise<EngineResult>;
};

const quantity = (value: bigint): Hex => `0x${value.toString(16)}`;
const toBytes = (hex: Hex): Uint8Array => hexToBytes(hex.length % 2 === 1 ? `0x0${hex.slice(2)}` : hex);

/**
 * Loads the engine, once in a process. It never gives back the chain of a run (2 to 5 MB and a thread), also if nothing refers to it:
 * the process has to be replaced from time to time.
 */
export async function startEdr(): Promise<Edr> {
  const context = new EdrContext();
  await context.registerProviderFactory(L1_CHAIN_TYPE, l1ProviderFactory());
  return {
    execute: async (scene) => {
      const provider = await context.createProvider(
        L1_CHAIN_TYPE,
        configOf(scene),
        { enable: false, decodeConsoleLogInputsCallback: () => [], printLineCallback: () => undefined },
        { subscriptionCallback: () => undefined },
        new ContractDecoder(),
      );
      return execute(scene, async (method, ...params) => {
        const request = { jsonrpc: "2.0", id: 1, method, params };
        const { data } = (await provider.handleRequest(JSON.stringify(request))) as {
          readonly data: unknown;
        };
        return (typeof data === "string" ? JSON.parse(data) : data) as Answer;
      });
    },
  };
}

type Answer = {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
};
type Ask = (method: string, ...params: readonly unknown[]) => Promise<Answer>;

/** EDR's clock runs on from the first block. On a busy machine seconds pass before the block of the call, which must not be earlier. */
const earlier = 600n;

/** The block before the one of the call. Its values are those of the next, as far as a call can read them. */
function configOf({ hardfork, chainId, block, call, accounts, codes }: EdrScene): ProviderConfig {
  const { gasLimit } = block;
  return {
    ...{ chainId: BigInt(chainId), networkId: BigInt(chainId), hardfork, coinbase: toBytes(block.coinbase) },
    ...{ allowBlocksWithSameTimestamp: true, allowUnlimitedContractSize: false },
    ...{ bailOnCallFailure: false, bailOnTransactionFailure: false, minGasPrice: 0n },
    ...{ defaultTransactionGasLimit: BigInt(call.gas), initialBaseFeePerGas: block.baseFeePerGas },
    initialParentBeaconBlockRoot: new Uint8Array(32),
    genesisState: listAccounts(accounts, codes),
    mining: { autoMine: false, blockGasLimit: gasLimit, memPool: { order: MineOrdering.Fifo } },
    network: { genesisBlockGasLimit: gasLimit, genesisBlockTime: block.timestamp - earlier },
    ...{ observability: {}, ownedAccounts: [], precompileOverrides: [] },
  };
}

/** Accounts that do not exist are left out: an empty account costs other gas than none. */
const listAccounts = (
  accounts: Witness["accounts"],
  codes: Witness["codes"],
): ProviderConfig["genesisState"] =>
  (Object.entries(accounts) as [Hex, Witness["accounts"][Hex]][])
    .filter(([, { balance, nonce, codeHash }]) => balance !== "0x0" || nonce !== "0x0" || codeHash !== noCode)
    .map(([address, { balance, nonce, codeHash, storage }]): AccountOverride => {
      const code = codes[codeHash];
      return {
        ...{ address: toBytes(address), balance: BigInt(balance), nonce: BigInt(nonce) },
        ...(code === undefined ? {} : { code: toBytes(code) }),
        storage: Object.entries(storage)
          .filter(([, value]) => value !== "0x0")
          .map(([slot, value]) => ({ index: BigInt(slot), value: BigInt(value) })),
      };
    });

async function execute({ call, following, block }: EdrScene, ask: Ask): Promise<EngineResult> {
  const must = async (method: string, ...params: readonly unknown[]): Promise<unknown> => {
    const { result, error } = await ask(method, ...params);
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  // Blocks in between are not made, so this takes no time.
  if (block.number > 1n) await must("hardhat_mine", quantity(block.number - 1n), "0x0");
  await must("evm_setNextBlockTimestamp", quantity(block.timestamp));
  await must("hardhat_setPrevRandao", block.prevRandao);
  await must("hardhat_setNextBlockBaseFeePerGas", quantity(block.baseFeePerGas));
  await must("hardhat_impersonateAccount", call.from);
  const hashes: unknown[] = [];
  for (const one of [call, ...following.map((next) => ({ ...call, ...next }))]) {
    const { result: hash, error } = await ask("eth_sendTransaction", one);
    // It compares a later call with the balance before all of them, which an earlier one may raise.
    if (error !== undefined && hashes.length > 0)
      throw new Error("it does not accept a call that an earlier one pays for");
    if (error !== undefined) return { kind: "not executable" };
    hashes.push(hash);
  }
  await must("hardhat_mine", "0x1", "0x0");
  const receipts: Receipt[] = [];
  const diffs: Diff[] = [];
  for (const hash of hashes) {
    const receipt = (await must("eth_getTransactionReceipt", hash)) as Receipt | null;
    if (receipt === null) return { kind: "not executable" };
    if (BigInt(receipt.blockNumber) !== block.number)
      throw new Error("it executed the call in another block");
    receipts.push(receipt);
    const options = { tracer: "prestateTracer", tracerConfig: { diffMode: true } };
    diffs.push((await must("debug_traceTransaction", hash, options)) as Diff);
  }
  return { kind: "ran", ...readReceipts(receipts), ...readDiffs(diffs) };
}
