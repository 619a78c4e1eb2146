// Executes the calls of a scene: each as a transaction of the sender, or all in one transaction that another account sends.
import type { Block } from "@ethereumjs/block";
import type { Common } from "@ethereumjs/common";
import type { EVM, ExecResult } from "@ethereumjs/evm";
import { createFeeMarket1559Tx } from "@ethereumjs/tx";
import { createAddressFromString } from "@ethereumjs/util";
import { runTx, type RunTxResult, type VM } from "@ethereumjs/vm";
import { bytesToHex, hexToBytes, keccak256, size } from "viem/utils";
import type { Hex } from "@countersign/wire";
import { addressIn } from "../hex.ts";
import { limits, type FollowingCall } from "../witness.ts";
import { programOf } from "./at-once.ts";
import { callsOf, sendsItself } from "./calls.ts";
import type { Scene } from "./scene-type.ts";
import type { Executed } from "./outcome.ts";
import { NotExecutable } from "./stop.ts";
import type { WitnessState } from "./witness-state.ts";

type Parts = {
  readonly vm: VM;
  readonly evm: EVM;
  readonly state: WitnessState;
  readonly block: Block;
  readonly common: Common;
  readonly scene: Scene;
};

/** Returns the results of the transactions, in their order, up to the first that fails. Throws NotExecutable if one cannot be in a block. */
export async function executeAll(parts: Parts): Promise<readonly [Executed, ...Executed[]]> {
  const { scene, state } = parts;
  const relayer = scene.relayer ?? (await findRelayer(scene, state));
  if (relayer !== null) return [await executeAtOnce(parts, relayer)];
  const [first, ...following] = callsOf(scene);
  const executed: [Executed, ...Executed[]] = [await executeAlone(parts, first)];
  for (const call of following) {
    if (executed.at(-1)?.error !== null) break;
    executed.push(await executeAlone(parts, call));
  }
  return executed;
}

/** Null if the sender can send transactions itself. Otherwise an account that no code can know in advance. */
async function findRelayer({ call, parentHash }: Scene, state: WitnessState): Promise<Hex | null> {
  const code = await state.getCode(createAddressFromString(call.from));
  return sendsItself(bytesToHex(code)) ? null : relayerOf({ parentHash });
}

/** Returns the account that sends what a wallet executes. It depends on the block alone. */
export const relayerOf = ({ parentHash }: Pick<Scene, "parentHash">): Hex =>
  addressIn(keccak256(keccak256(parentHash)));

async function executeAlone(parts: Parts, call: FollowingCall): Promise<Executed> {
  const { vm, block, state, scene } = parts;
  const nonce = (await state.getAccount(createAddressFromString(scene.call.from)))?.nonce ?? 0n;
  const tx = unsigned(parts, { call, nonce });
  const result = await execute(() => runTx(vm, { tx, block, skipBlockGasLimitValidation: true }));
  const { execResult, totalGasSpent: gasUsed, amountSpent: fee } = result;
  const { exceptionError, returnValue: returned, logs = [] } = execResult;
  return {
    ...{ error: exceptionError?.error ?? null, calls: 1, relayer: null },
    ...{ gasUsed, fee, returned, logs },
  };
}

/** The sender is known and has not signed yet. */
function unsigned(
  { common, scene }: Parts,
  { call, nonce }: { readonly call: FollowingCall; readonly nonce: bigint },
): ReturnType<typeof createFeeMarket1559Tx> {
  const { to, value, data, gas: gasLimit } = call;
  const { from, maxFeePerGas, maxPriorityFeePerGas } = scene.call;
  const tx = createFeeMarket1559Tx(
    { chainId: scene.chainId, nonce, to, value, data, gasLimit, maxFeePerGas, maxPriorityFeePerGas },
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

/** Before the return data of a call that failed. */
const indexBytes = 32;

/**
 * The sender's own code is not executed: which functions of it the wallet uses is not known. The relayer pays, so the sender has no
 * fee.
 */
async function executeAtOnce({ evm, state, block, scene }: Parts, relayer: Hex): Promise<Executed> {
  const calls = callsOf(scene);
  const account = createAddressFromString(scene.call.from);
  const base = scene.block.baseFeePerGas;
  const [most, tip] = [BigInt(scene.call.maxFeePerGas), BigInt(scene.call.maxPriorityFeePerGas)];
  await state.checkpoint();
  const { execResult } = await evm.runCall({
    ...{ block, caller: account, to: account, origin: createAddressFromString(relayer) },
    ...{ code: hexToBytes(programOf(calls)), gasLimit: BigInt(calls.length) * 2n * limits.gas },
    ...{ gasPrice: most < base + tip ? most : base + tip, skipNonceIncrement: true },
  });
  const { exceptionError, executionGasUsed: gasUsed, returnValue, logs = [] } = execResult;
  const unpaid = { relayer, gasUsed, fee: 0n };
  if (exceptionError === undefined) {
    await removeDestroyed(execResult, state);
    await state.commit();
    return { error: null, calls: calls.length, ...unpaid, returned: new Uint8Array(0), logs };
  }
  await state.revert();
  const index = bytesToHex(returnValue.slice(0, indexBytes));
  const failed = size(index) === indexBytes ? Number(BigInt(index)) + 1 : calls.length;
  const returned = returnValue.slice(indexBytes);
  return { error: exceptionError.error, calls: failed, ...unpaid, returned, logs: [] };
}

/** EIP-6780: only contracts that the same transaction has created are removed, at its end. */
async function removeDestroyed(
  { selfdestruct, createdAddresses }: ExecResult,
  state: WitnessState,
): Promise<void> {
  for (const address of selfdestruct?.keys() ?? [])
    if (createdAddresses?.has(address) === true) await state.deleteAccount(createAddressFromString(address));
}
