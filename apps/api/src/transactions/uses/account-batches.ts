// The calls that an account makes in one transaction, as far as they can be read: as a Safe, by a user operation, or as an account with
// code of its own.
import type { Hex } from "@countersign/wire";
import { isMultiSend, readMultiSend } from "@countersign/wire/signed-calls";
import { decodeAbiParameters, decodeFunctionData, parseAbiParameters } from "viem/utils";
import { accountAbi, entryPointAbi, isEntryPoint, safeAbi } from "../../adapters/chain/index.ts";
import type { Mined } from "./proof.ts";
import { isEvent, topics } from "./topics.ts";
import { topicOf, wordAt } from "./words.ts";

export type AccountCall = { readonly to: Hex; readonly value: bigint; readonly data: Hex };

const listOfCalls = parseAbiParameters("(address to, uint256 value, bytes data)[] calls");
const listWithOptions = parseAbiParameters("(address to, uint256 value, bytes data)[] calls, bytes options");

const lower = ({ to, value, data }: AccountCall): AccountCall => ({
  to: to.toLowerCase() as Hex,
  value,
  data: data.toLowerCase() as Hex,
});

/** ERC-7579 and ERC-7821: a batch that reverts when one of its calls fails. */
const wholeBatch = "0x0100";

function readBatch(mode: Hex, data: Hex): readonly AccountCall[] {
  if (!mode.startsWith(wholeBatch)) return [];
  try {
    return decodeAbiParameters(listOfCalls, data)[0];
  } catch {
    return decodeAbiParameters(listWithOptions, data)[0];
  }
}

function readAccountCalls(callData: Hex): readonly AccountCall[] {
  const { functionName, args } = decodeFunctionData({ abi: accountAbi, data: callData });
  if (functionName === "executeBatch") return args[0];
  return args.length === 3 ? [{ to: args[0], value: args[1], data: args[2] }] : readBatch(...args);
}

function readSafeCalls(input: Hex): readonly AccountCall[] {
  const [to, value, data, operation] = decodeFunctionData({ abi: safeAbi, data: input }).args;
  if (operation === 0) return [{ to, value, data }];
  const batch = isMultiSend(to.toLowerCase() as Hex) ? readMultiSend(data) : undefined;
  return batch?.isWhole === true && batch.calls.every((call) => call.operation === 0) ? batch.calls : [];
}

function asSafe({ to, input, logs }: Mined, account: Hex): readonly AccountCall[] {
  const has = (topic: Hex): boolean => logs.some((log) => isEvent(log, account, topic));
  if (to !== account || !has(topics.executionSuccess) || has(topics.executionFailure)) return [];
  return readSafeCalls(input);
}

function byOperation({ to, input, logs }: Mined, account: Hex): readonly AccountCall[] {
  if (to === null || !isEntryPoint(to)) return [];
  const events = logs.filter(
    (log) => isEvent(log, to, topics.userOperation) && log.topics[2] === topicOf(account),
  );
  const decoded = decodeFunctionData({ abi: entryPointAbi, data: input });
  const operations: readonly { readonly sender: Hex; readonly callData: Hex }[] = decoded.args[0];
  const [own, ...others] = operations.filter(({ sender }) => sender.toLowerCase() === account);
  // With several, the events do not say in which order.
  if (own === undefined || others.length > 0 || events.length !== 1) return [];
  const [event] = events;
  return event !== undefined && wordAt(event.data, 1) === 1n ? readAccountCalls(own.callData) : [];
}

const ownCall = ({ to, value, input }: Mined): readonly AccountCall[] =>
  to === null ? [] : [{ to, value, data: input }];

function read(mined: Mined, account: Hex): readonly AccountCall[] {
  try {
    if (mined.from === account) return mined.to === account ? readAccountCalls(mined.input) : ownCall(mined);
    const asOne = asSafe(mined, account);
    return asOne.length > 0 ? asOne : byOperation(mined, account);
  } catch {
    // A function that is not listed here.
    return [];
  }
}

/** Returns the calls that the account made in this transaction, all of which succeeded. Empty if they cannot be read. */
export const accountCallsIn = (mined: Mined, account: Hex): readonly AccountCall[] =>
  mined.succeeded ? read(mined, account).map(lower) : [];
