// Detects calls that a contract wallet makes inside another account's transaction. Safe and ERC-4337 accounts emit an
// event for each call, and the call is decoded from the outer transaction. Calls through modules, other contracts or functions that
// are not listed here are not detected.
import { decodeFunctionData, keccak256, type Hex } from "viem";
import { accountAbi, accountTopics, entryPointAbi, safeAbi } from "./account-abi.ts";
import { isEntryPoint } from "./entry-points.ts";
import { lowerCase } from "./node.ts";

const abi = [...safeAbi, ...entryPointAbi];
const { executionSuccess, executionFailure, userOperation } = accountTopics;

/** The first topics to filter logs by. */
export const walletTopics = Object.values(accountTopics);

export type WalletLog = {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
};

/** One execution that an event reports: the wallet, and whether it succeeded. */
type Outcome = { readonly wallet: Hex; readonly emitter: Hex; readonly succeeded: boolean };

/** The second word of a UserOperationEvent's data is its success flag. */
const isOperationSuccess = (data: Hex): boolean => BigInt(`0x${data.slice(2 + 64, 2 + 128) || "0"}`) === 1n;

export function outcomeOf({ address, topics, data }: WalletLog): Outcome | undefined {
  const emitter = lowerCase(address);
  const [topic, , sender] = topics;
  if (topic === executionSuccess || topic === executionFailure)
    return { wallet: emitter, emitter, succeeded: topic === executionSuccess };
  // Any contract can emit the event.
  if (topic !== userOperation || sender === undefined || !isEntryPoint(emitter)) return undefined;
  return { wallet: lowerCase(`0x${sender.slice(-40)}`), emitter, succeeded: isOperationSuccess(data) };
}

const outcomesOf = (logs: readonly WalletLog[]): readonly Outcome[] =>
  logs.map(outcomeOf).filter((outcome) => outcome !== undefined);

type Mined = {
  readonly status: "success" | "reverted";
  readonly from: Hex;
  readonly to: Hex | null;
  readonly logs: readonly WalletLog[];
};

/**
 * Returns whether the wallet's call succeeded in this transaction. A Safe and an entry point do not revert
 * when the inner call fails: their events report it. If a wallet's events in one transaction disagree, the
 * call counts as failed.
 */
export function succeededFor({ status, from, to, logs }: Mined, wallet: Hex): boolean {
  if (status !== "success") return false;
  const outcomes = outcomesOf(logs);
  if (lowerCase(from) === wallet) {
    const called = to === null ? null : lowerCase(to);
    return outcomes.every(({ emitter, succeeded }) => emitter !== called || succeeded);
  }
  const own = outcomes.filter((outcome) => outcome.wallet === wallet);
  return own.length > 0 && own.every(({ succeeded }) => succeeded);
}

export type InnerCall = { readonly to: Hex; readonly value: bigint; readonly dataHash: Hex };

const innerCall = (to: Hex, value: bigint, data: Hex): InnerCall => ({
  to: lowerCase(to),
  value,
  dataHash: keccak256(data),
});

/** ERC-7579: one call that reverts the operation when it fails. */
const singleCall = "0x0000";

function readAccountCall(callData: Hex): InnerCall | undefined {
  const { functionName, args } = decodeFunctionData({ abi: accountAbi, data: callData });
  if (functionName === "executeBatch") return undefined;
  if (args.length === 3) return innerCall(...args);
  const [mode, execution] = args;
  // Packed: 20 bytes of address, 32 of value, then the calldata.
  if (!mode.startsWith(singleCall) || execution.length < 2 + 104) return undefined;
  const [to, value] = [execution.slice(2, 42), execution.slice(42, 106)];
  return innerCall(`0x${to}`, BigInt(`0x${value}`), `0x${execution.slice(106)}`);
}

function readCalls(input: Hex, called: Hex, wallet: Hex): readonly (InnerCall | undefined)[] {
  const decoded = decodeFunctionData({ abi, data: input });
  if (decoded.functionName === "execTransaction") {
    const [to, value, data, operation] = decoded.args;
    // A delegatecall runs other code as the wallet, so it is not this call.
    return called === wallet && operation === 0 ? [innerCall(to, value, data)] : [];
  }
  if (!isEntryPoint(called)) return [];
  const operations: readonly { readonly sender: Hex; readonly callData: Hex }[] = decoded.args[0];
  return operations
    .filter(({ sender }) => lowerCase(sender) === wallet)
    .map(({ callData }) => readAccountCall(callData));
}

/** Returns the wallet's call in this transaction, or undefined if it cannot be decoded or there was more than one. */
export function readInnerCall(
  { to, input }: { readonly to: Hex | null; readonly input: Hex },
  wallet: Hex,
): InnerCall | undefined {
  if (to === null) return undefined;
  try {
    const calls = readCalls(input, lowerCase(to), wallet);
    return calls.length === 1 ? calls[0] : undefined;
  } catch {
    // An unknown function.
    return undefined;
  }
}
