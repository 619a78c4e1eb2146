// Runs a call with @ethereumjs/vm on a witness alone. State that is not in the witness stops the run; it is never empty.
import { createBlock, type Block } from "@ethereumjs/block";
import { createCustomCommon, Mainnet, type Common } from "@ethereumjs/common";
import { createEVM, type EVM, type EVMMockBlockchainInterface } from "@ethereumjs/evm";
import { createFeeMarket1559Tx } from "@ethereumjs/tx";
import { createAddressFromString } from "@ethereumjs/util";
import { createVM, runTx, type RunTxResult } from "@ethereumjs/vm";
import { bytesToHex, hexToBytes } from "viem/utils";
import type { Hex } from "@countersign/wire";
import { word } from "../hex.ts";
import type { Call, Hardfork } from "../witness.ts";
import type { BlockValues } from "./next-block.ts";
import { readReason } from "./revert-reason.ts";
import { LimitExceeded, MissingBlockHash, NotExecutable } from "./stop.ts";
import { countTurns, watchOpcodes, type Surrounding } from "./watched-opcodes.ts";
import {
  makeWitnessState,
  type OnMissing,
  type SlotChange,
  type Source,
  type WitnessState,
} from "./witness-state.ts";

/** A call and everything that can change its result. */
export type Scene = {
  readonly chainId: bigint;
  readonly hardfork: Hardfork;
  readonly block: BlockValues;
  /** Of the block before. */
  readonly parentHash: Hex;
  readonly call: Call;
  readonly source: Source;
  readonly blockHashes: ReadonlyMap<bigint, Hex>;
};

export type Log = { readonly address: Hex; readonly topics: readonly Hex[]; readonly data: Hex };

/** The result of a transaction. Lists are sorted by address and slot, logs are in their order. */
export type Outcome = {
  readonly succeeded: boolean;
  readonly gasUsed: bigint;
  /** Of the gas, paid by the sender, in wei. */
  readonly fee: bigint;
  /** At most `runLimits.outputBytes`. */
  readonly output: Hex;
  readonly outputBytes: number;
  /** Why it failed: the contract's own text, the engine's, or null if it succeeded. Untrusted text. */
  readonly reason: string | null;
  readonly logs: readonly Log[];
  /** Of the native token, including fees. */
  readonly balances: readonly { readonly address: Hex; readonly change: bigint }[];
  readonly slots: readonly SlotChange[];
  readonly codes: readonly { readonly address: Hex; readonly before: Hex; readonly after: Hex }[];
};

/** Limits of one run. Beyond them there is no result. */
export const runLimits = {
  /** An endless loop turns 1.4 million times with all the gas of a transaction. */
  turns: 1_000_000,
  logs: 1_000,
  logBytes: 262_144,
  outputBytes: 4_096,
  /** Of one view, and of all views of a machine together. */
  viewGas: 500_000n,
  allViewsGas: 16_000_000n,
} as const;

export type MachineOptions = {
  readonly onMissing?: OnMissing | undefined;
  /** Called for each value of the surroundings that the transaction reads, with the address of the code. */
  readonly onRead?: ((what: Surrounding, by: Hex) => void) | undefined;
  /** Called at every jump and call. Throws to stop the run, for example when its CPU time is used up. */
  readonly checkBudget?: (() => void) | undefined;
};

export type Machine = {
  readonly state: WitnessState;
  /** Executes the call as a transaction. Throws NotExecutable, LimitExceeded, MissingState or MissingBlockHash. */
  readonly run: () => Promise<Outcome>;
  /** Returns the result of a read-only call in the current state, or undefined if it fails. Changes nothing. */
  readonly view: (to: Hex, data: Hex) => Promise<Hex | undefined>;
};

const commons = new Map<string, Common>();
/** Building one takes longer than a short run. Each machine gets a copy. */
function commonOf(chainId: bigint, hardfork: Hardfork): Common {
  const key = `${chainId.toString()} ${hardfork}`;
  const known = commons.get(key) ?? createCustomCommon({ chainId: Number(chainId) }, Mainnet, { hardfork });
  commons.set(key, known);
  return known.copy();
}

export async function makeMachine(scene: Scene, options: MachineOptions = {}): Promise<Machine> {
  const { onMissing, onRead, checkBudget } = options;
  const common = commonOf(scene.chainId, scene.hardfork);
  const state = makeWitnessState(scene.source, onMissing);
  const evm = await createEVM({ common, stateManager: state, blockchain: knownBlocks(scene) });
  const vm = await createVM({ common, evm, stateManager: state });
  const count = countTurns(runLimits.turns);
  let isRunning = false;
  watchOpcodes(evm, {
    onRead: (what, by) => {
      if (isRunning) onRead?.(what, by);
    },
    onTurn: () => {
      count();
      checkBudget?.();
    },
  });
  const block = buildBlock(scene, common);
  return {
    state,
    run: async () => {
      const nonce = (await state.getAccount(createAddressFromString(scene.call.from)))?.nonce ?? 0n;
      isRunning = true;
      const result = await execute(() =>
        runTx(vm, { tx: unsigned(scene, { common, nonce }), block, skipBlockGasLimitValidation: true }),
      );
      isRunning = false;
      return outcomeOf(result, state);
    },
    view: makeView({ evm, state, block, scene }),
  };
}

function knownBlocks({ blockHashes }: Scene): EVMMockBlockchainInterface {
  const blockchain = {
    getBlock: async (number: number) => {
      const hash = blockHashes.get(BigInt(number));
      if (hash === undefined) throw new MissingBlockHash(BigInt(number));
      return { hash: () => hexToBytes(hash) };
    },
    putBlock: async () => undefined,
    shallowCopy: () => blockchain,
  };
  return blockchain;
}

function buildBlock({ block, parentHash }: Scene, common: Common): Block {
  const { number, timestamp, coinbase, gasLimit, baseFeePerGas, prevRandao, excessBlobGas } = block;
  const header = {
    ...{ number, timestamp, coinbase, gasLimit, baseFeePerGas, excessBlobGas, parentHash },
    ...{ mixHash: prevRandao, blobGasUsed: 0n, parentBeaconBlockRoot: word(0n) },
  };
  return createBlock({ header }, { common, skipConsensusFormatValidation: true });
}

/** The sender is known and has not signed yet. */
function unsigned(
  { chainId, call }: Scene,
  { common, nonce }: { readonly common: Common; readonly nonce: bigint },
): ReturnType<typeof createFeeMarket1559Tx> {
  const { from, to, value, data, gas, maxFeePerGas, maxPriorityFeePerGas } = call;
  const tx = createFeeMarket1559Tx(
    { chainId, nonce, to, value, data, gasLimit: gas, maxFeePerGas, maxPriorityFeePerGas },
    { common, freeze: false },
  );
  return Object.assign(tx, { getSenderAddress: () => createAddressFromString(from), isSigned: () => true });
}

/** Errors of ours keep their type. All others come from the engine, before it begins to execute. */
async function execute(run: () => Promise<RunTxResult>): Promise<RunTxResult> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Error && error.name !== "Error") throw error;
    const text = error instanceof Error ? error.message : "not executed";
    // The engine appends its block and transaction to the message.
    throw new NotExecutable(text.replace(/ \((?:vm|tx|block) .*$/s, ""));
  }
}

function outcomeOf({ execResult, totalGasSpent, amountSpent }: RunTxResult, state: WitnessState): Outcome {
  const { exceptionError, returnValue, logs = [] } = execResult;
  const succeeded = exceptionError === undefined;
  const emitted = succeeded ? logs : [];
  const bytes = emitted.reduce((sum, [, , data]) => sum + data.length, 0);
  if (emitted.length > runLimits.logs || bytes > runLimits.logBytes)
    throw new LimitExceeded("more logs than can be compared");
  return {
    succeeded,
    gasUsed: totalGasSpent,
    fee: amountSpent,
    output: bytesToHex(returnValue.slice(0, runLimits.outputBytes)),
    outputBytes: returnValue.length,
    reason: succeeded ? null : (readReason(bytesToHex(returnValue)) ?? exceptionError.error),
    logs: emitted.map(([address, topics, data]) => ({
      address: bytesToHex(address),
      topics: topics.map((topic) => bytesToHex(topic)),
      data: bytesToHex(data),
    })),
    balances: state.listBalanceChanges(),
    slots: state.listSlotChanges(),
    codes: state.listCodeChanges(),
  };
}

type Parts = {
  readonly evm: EVM;
  readonly state: WitnessState;
  readonly block: Block;
  readonly scene: Scene;
};

function makeView({ evm, state, block, scene }: Parts): Machine["view"] {
  const caller = createAddressFromString(scene.call.from);
  let gasLeft: bigint = runLimits.allViewsGas;
  return async (to, data) => {
    if (gasLeft < runLimits.viewGas) throw new LimitExceeded("contracts need too much gas to answer");
    await state.checkpoint();
    try {
      const { execResult } = await evm.runCall({
        ...{ block, caller, origin: caller, to: createAddressFromString(to), data: hexToBytes(data) },
        ...{ gasLimit: runLimits.viewGas, isStatic: true, gasPrice: 0n },
      });
      gasLeft -= execResult.executionGasUsed;
      const { exceptionError, returnValue } = execResult;
      if (exceptionError !== undefined || returnValue.length > runLimits.outputBytes) return undefined;
      return bytesToHex(returnValue);
    } finally {
      await state.revert();
    }
  };
}
