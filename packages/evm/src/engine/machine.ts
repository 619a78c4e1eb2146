// Runs calls with @ethereumjs/vm on a witness alone. State that is not in the witness stops the run; it is never empty.
import { createBlock, type Block } from "@ethereumjs/block";
import { createCustomCommon, Mainnet, type Common } from "@ethereumjs/common";
import { createEVM, type EVM, type EVMMockBlockchainInterface } from "@ethereumjs/evm";
import { createAddressFromString } from "@ethereumjs/util";
import { createVM } from "@ethereumjs/vm";
import { bytesToHex, hexToBytes } from "viem/utils";
import type { Hex } from "@countersign/wire";
import { word } from "../hex.ts";
import type { Hardfork } from "../witness.ts";
import { executeAll } from "./execute.ts";
import { outcomeOf, runLimits, type Outcome } from "./outcome.ts";
import type { Scene } from "./scene-type.ts";
import { LimitExceeded, MissingBlockHash } from "./stop.ts";
import { countTurns, watchOpcodes, type Surrounding } from "./watched-opcodes.ts";
import { makeWitnessState, type OnMissing, type WitnessState } from "./witness-state.ts";

export type MachineOptions = {
  readonly onMissing?: OnMissing | undefined;
  /** Called for each value of the surroundings that the transaction reads, with the address of the code. */
  readonly onRead?: ((what: Surrounding, by: Hex) => void) | undefined;
  /** Called at every jump and call. Throws to stop the run, for example when its CPU time is used up. */
  readonly checkBudget?: (() => void) | undefined;
};

export type Machine = {
  readonly state: WitnessState;
  /** Executes the calls. Throws NotExecutable, LimitExceeded, MissingState or MissingBlockHash. */
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
      isRunning = true;
      const executed = await executeAll({ vm, evm, state, block, common, scene });
      isRunning = false;
      return outcomeOf(executed, state);
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
