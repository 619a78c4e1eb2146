import {
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  keccak256,
  padHex,
  parseAbi,
  toEventSelector,
  toHex,
} from "viem";
import { describe, expect, test } from "vitest";
import { outcomeOf, readInnerCall, succeededFor } from "./wallet-calls.ts";

const wallet = `0x${"ab".repeat(20)}` as const;
const neighbour = `0x${"ab".repeat(19)}ac` as const;
const target = `0x${"cd".repeat(20)}` as const;
const entryPoint = "0x0000000071727de22e5e9d8baf0edac6f37da032" as const;
const another = `0x${"ef".repeat(20)}` as const;
const call = { to: target, value: 7n, dataHash: keccak256("0x1234") };

const abi = parseAbi([
  "function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)",
  "function execute(address to, uint256 value, bytes data)",
]);
const execute = encodeFunctionData({ abi, functionName: "execute", args: [target, 7n, "0x1234"] });
const executeMode = (mode: string, execution = concatHex([target, toHex(7n, { size: 32 }), "0x1234"])) =>
  encodeFunctionData({
    abi: parseAbi(["function execute(bytes32 mode, bytes executionCalldata)"]),
    args: [padHex(`0x${mode}`, { dir: "right", size: 32 }), execution],
  });

type Op = { readonly sender: `0x${string}`; readonly callData: `0x${string}` };
const old = parseAbi([
  "function handleOps((address sender, uint256 nonce, bytes initCode, bytes callData, uint256 callGasLimit, uint256 verificationGasLimit, uint256 preVerificationGas, uint256 maxFeePerGas, uint256 maxPriorityFeePerGas, bytes paymasterAndData, bytes signature)[] ops, address beneficiary)",
]);
const packed = parseAbi([
  "function handleOps((address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature)[] ops, address beneficiary)",
]);
const common = {
  nonce: 0n,
  initCode: "0x",
  preVerificationGas: 0n,
  paymasterAndData: "0x",
  signature: "0x",
} as const;
const ofOld = (...ops: readonly Op[]) => {
  const gas = { callGasLimit: 0n, verificationGasLimit: 0n, maxFeePerGas: 0n, maxPriorityFeePerGas: 0n };
  return encodeFunctionData({ abi: old, args: [ops.map((op) => ({ ...common, ...gas, ...op })), target] });
};
const ofPacked = (...ops: readonly Op[]) => {
  const gas = { accountGasLimits: padHex("0x"), gasFees: padHex("0x") };
  return encodeFunctionData({ abi: packed, args: [ops.map((op) => ({ ...common, ...gas, ...op })), target] });
};
const safe = (operation: number) =>
  encodeFunctionData({
    ...{ abi, functionName: "execTransaction" },
    args: [target, 7n, "0x1234", operation, 0n, 0n, 0n, target, target, "0x"],
  });

describe("the call inside a transaction", () => {
  test.each([
    ["execTransaction of the Safe itself", wallet, safe(0)],
    ["handleOps of entry point 0.6", entryPoint, ofOld({ sender: wallet, callData: execute })],
    ["handleOps of entry point 0.7", entryPoint, ofPacked({ sender: wallet, callData: execute })],
    ["ERC-7579 execute of one call", entryPoint, ofPacked({ sender: wallet, callData: executeMode("00") })],
    [
      "handleOps with an operation of a neighbour",
      entryPoint,
      ofPacked({ sender: neighbour, callData: "0x" }, { sender: wallet, callData: execute }),
    ],
  ] as const)("is decoded from %s", (_name, to, input) => {
    expect(readInnerCall({ to, input }, wallet)).toEqual(call);
  });

  test.each([
    ["a delegatecall", wallet, safe(1)],
    ["execTransaction of another Safe", neighbour, safe(0)],
    ["an operation at another entry point", another, ofPacked({ sender: wallet, callData: execute })],
    ["an operation of another account", entryPoint, ofPacked({ sender: neighbour, callData: execute })],
    [
      "two operations of the account",
      entryPoint,
      ofPacked({ sender: wallet, callData: execute }, { sender: wallet, callData: execute }),
    ],
    [
      "ERC-7579 that goes on after a failure",
      entryPoint,
      ofPacked({ sender: wallet, callData: executeMode("0001") }),
    ],
    ["an ERC-7579 batch", entryPoint, ofPacked({ sender: wallet, callData: executeMode("01") })],
    [
      "ERC-7579 one byte too short",
      entryPoint,
      ofPacked({ sender: wallet, callData: executeMode("00", `0x${"00".repeat(51)}`) }),
    ],
    ["another function of the account", entryPoint, ofPacked({ sender: wallet, callData: "0x12345678" })],
    ["another function", wallet, "0x12345678"],
    ["nothing", wallet, "0x"],
  ] as const)("is not decoded from %s", (_name, to, input) => {
    expect(readInnerCall({ to, input }, wallet)).toBeUndefined();
  });
  test("is not decoded from a contract creation", () => {
    expect(readInnerCall({ to: null, input: safe(0) }, wallet)).toBeUndefined();
  });
});

describe("whether it succeeded", () => {
  const word = padHex("0x");
  const ofSafe = (address: `0x${string}`, isSuccess = true) => ({
    address,
    topics: [toEventSelector(`Execution${isSuccess ? "Success" : "Failure"}(bytes32,uint256)`)],
    data: concatHex([word, word]),
  });
  const ofOperation = (sender: `0x${string}`, success = true) => ({
    address: entryPoint,
    topics: [
      toEventSelector("UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)"),
      ...[word, padHex(sender), word],
    ],
    data: encodeAbiParameters(
      [{ type: "uint256" }, { type: "bool" }, { type: "uint256" }, { type: "uint256" }],
      [1n, success, 1n, 1n],
    ),
  });
  const mined = { status: "success", from: neighbour, to: entryPoint } as const;
  test.each([
    ["a Safe's success", [ofSafe(wallet)], true],
    ["a Safe's failure", [ofSafe(wallet, false)], false],
    ["a neighbour's success", [ofSafe(neighbour)], false],
    ["an operation's success", [ofOperation(wallet)], true],
    ["an operation's failure", [ofOperation(wallet, false)], false],
    [
      "its success along with another wallet's failure",
      [ofOperation(wallet), ofOperation(neighbour, false)],
      true,
    ],
    ["a success and a failure of its own", [ofOperation(wallet), ofOperation(wallet, false)], false],
    ["no event", [], false],
  ] as const)("of the wallet inside: %s", (_name, logs, expected) => {
    expect(succeededFor({ ...mined, logs: [...logs] }, wallet)).toBe(expected);
  });
  test.each([
    ["no event", [], true],
    ["a failure that what it called reports", [ofOperation(neighbour, false)], false],
    ["a failure that another contract reports", [ofSafe(target, false)], true],
  ] as const)("of the sender: %s", (_name, logs, expected) => {
    expect(succeededFor({ ...mined, from: wallet, logs: [...logs] }, wallet)).toBe(expected);
  });
  test("a reverted transaction has failed, whatever its events say", () => {
    expect(succeededFor({ ...mined, status: "reverted", logs: [ofSafe(wallet)] }, wallet)).toBe(false);
  });
  test("an event of another entry point is ignored", () => {
    expect(outcomeOf({ ...ofOperation(wallet), address: another })).toBeUndefined();
  });
  test("an event without its sender is ignored", () => {
    const { topics, ...log } = ofOperation(wallet);
    expect(outcomeOf({ ...log, topics: topics.slice(0, 2) })).toBeUndefined();
  });
});
