/** ERC-7579 and ERC-7821 share one function, `execute(mode, data)`: the mode selects how the data is read. */
import { blob, packed, word } from "../../bytes/openings.ts";
import type { Address, Hex } from "../../proposal.ts";
import type { CallView, InnerCall, Read } from "../../protocol.ts";
import { compared, feeds, feedsWhen, inert, openedAsCalls, openedBy } from "../../uses.ts";

const onlyZero = compared("equal", "zero");

export const executionMode = word("execution mode", {
  callType: { at: 248, bits: 8, use: feeds.act },
  onFailure: { at: 240, bits: 8, use: feeds.terms },
  unused: { at: 208, bits: 32, use: onlyZero },
  selector: { at: 176, bits: 32, use: feedsWhen("act", "batches are nested or a target is zero") },
  payload: { at: 0, bits: 176, use: onlyZero },
});

const singleCall = packed("address target, uint256 value, bytes callData, packed", {
  head: [
    { name: "target", bytes: 20, use: openedAsCalls },
    { name: "value", bytes: 32, use: openedAsCalls },
    { name: "callData", bytes: "rest", use: openedAsCalls },
  ],
});
const delegatedCall = packed("address target, bytes callData, packed", {
  head: [
    { name: "target", bytes: 20, use: openedAsCalls },
    { name: "callData", bytes: "rest", use: openedAsCalls },
  ],
});

const calls = { target: openedAsCalls, value: openedAsCalls, callData: openedAsCalls };
const plainBatch = blob("(address target, uint256 value, bytes callData)[] calls", { calls });
const provenBatch = blob("(address target, uint256 value, bytes callData)[] calls, bytes opData", {
  calls,
  opData: inert.signature,
});
const batchList = blob("bytes[] batches", { batches: openedBy(plainBatch, provenBatch) });

/** The possible contents of the calldata of an execution. */
export const executions = openedBy(singleCall, delegatedCall, plainBatch, provenBatch, batchList);

type Execution = {
  readonly target: Address;
  readonly value: bigint;
  readonly callData: Hex;
  readonly at: string;
};

/** With or without the proof that the account checks; a list of calls either way. */
const openBatch = (call: CallView, data: Hex, at: string) => {
  try {
    return call.open(plainBatch, data, at)[0];
  } catch {
    return call.open(provenBatch, data, at)[0];
  }
};

const batch = (call: CallView, data: Hex, at: string): readonly Execution[] =>
  openBatch(call, data, at).map((each, i) => ({ ...each, at: `${at}.calls[${i}].callData` }));

const BATCHES = 0x7821_0002n;
const knownSelectors = new Set([0n, 0x7821_0001n, BATCHES]);
const ZERO = /^0x0{40}$/;

const inner = (
  call: CallView,
  zeroIsSelf: boolean,
  { target, value, callData, at }: Execution,
): InnerCall => {
  if (ZERO.test(target) && !zeroIsSelf) throw new Error("a call to no address");
  return { to: ZERO.test(target) ? call.to : target, value, data: callData, account: call.to, at };
};

const batches = (call: CallView, selector: bigint, data: Hex, at: string): readonly InnerCall[] => {
  const all =
    selector === BATCHES
      ? call.open(batchList, data, at)[0].flatMap((each, i) => batch(call, each, `${at}.batches[${i}]`))
      : batch(call, data, at);
  return all.map((each) => inner(call, selector !== 0n, each));
};

const single = (call: CallView, data: Hex, at: string): InnerCall => {
  const { target = "0x", value = "0x", callData = "0x" } = call.open(singleCall, data, at).head;
  return inner(call, false, { target, value: BigInt(value), callData, at: `${at}.callData` });
};

const delegated = (call: CallView, data: Hex, at: string): InnerCall => {
  const { target = "0x", callData = "0x" } = call.open(delegatedCall, data, at).head;
  return {
    to: target,
    value: 0n,
    data: callData,
    account: call.to,
    delegatecall: true,
    at: `${at}.callData`,
  };
};

const REVERTS = 0n;
const GOES_ON = 1n;

type Places = { readonly mode: string; readonly data: string };

export const readExecution = (mode: Hex, data: Hex, call: CallView, at: Places): Read => {
  const { callType, onFailure, unused, selector, payload } = call.open(executionMode, mode, at.mode);
  if (unused !== 0n || payload !== 0n || !knownSelectors.has(selector) || onFailure > GOES_ON)
    throw new Error("this execution mode is not known");
  const mayFail = onFailure === REVERTS ? {} : { mayFail: true };
  const all = readCalls({ callType: Number(callType), selector, data, at: at.data }, call);
  return all === null
    ? { effects: [{ act: "harmless" }] }
    : { calls: all.map((each) => ({ ...each, ...mayFail })) };
};

type Encoded = {
  readonly callType: number;
  readonly selector: bigint;
  readonly data: Hex;
  readonly at: string;
};

/** Null: a static call, which changes nothing. */
function readCalls({ callType, selector, data, at }: Encoded, call: CallView): readonly InnerCall[] | null {
  switch (callType) {
    case 0x00:
      return [single(call, data, at)];
    case 0x01:
      return batches(call, selector, data, at);
    case 0xfe:
      return null;
    case 0xff:
      return [delegated(call, data, at)];
    default:
      throw new Error("this execution mode is not known");
  }
}
