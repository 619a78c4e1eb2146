// Accounts that carry calls: Safe, MultiSend, ERC-4337, ERC-7579, ERC-7821.
import { AbiCoder, ZeroAddress, concat, dataLength, solidityPacked, zeroPadValue } from "ethers";
import { must } from "../must.ts";
import type { Call, Params } from "../types.ts";
import { ENTRYPOINT_07, MULTISEND_CALL_ONLY } from "../data/protocols.ts";
import { account, entrypoint, modular, multisend, safe } from "./abi.ts";

const coder = AbiCoder.defaultAbiCoder();

/** A pre-validated signature, which a Safe accepts from its owner's own call. */
function ownerSignature(owner: string): string {
  return concat([zeroPadValue(owner, 32), "0x" + "00".repeat(32), "0x01"]);
}

function execSafe(p: Params, call: Call, operation: number): Call {
  const data = safe.encodeFunctionData("execTransaction", [
    call.to,
    call.value,
    call.data,
    operation,
    0,
    p.refund ? 60_000 : 0,
    p.refund?.gasPrice ?? 0n,
    ZeroAddress,
    p.refund?.receiver ?? ZeroAddress,
    ownerSignature(p.sender),
  ]);
  return { to: p.actor, data, value: 0n };
}

export function packMultiSend(calls: readonly Call[], operation: (i: number) => number): string {
  const records = calls.map((c, i) =>
    solidityPacked(
      ["uint8", "address", "uint256", "uint256", "bytes"],
      [operation(i), c.to, c.value, dataLength(c.data), c.data],
    ),
  );
  return multisend.encodeFunctionData("multiSend", [concat(records)]);
}

function viaMultiSend(p: Params, calls: Call[]): Call {
  const data = packMultiSend(calls, (i) => (i === 0 ? p.innerOperation : 0));
  return execSafe(p, { to: MULTISEND_CALL_ONLY, data, value: 0n }, 1);
}

function accountData(calls: Call[]): string {
  const only = must(calls[0]);
  if (calls.length === 1) return account.encodeFunctionData("execute", [only.to, only.value, only.data]);
  return account.encodeFunctionData("executeBatch", [
    calls.map((c) => c.to),
    calls.map((c) => c.value),
    calls.map((c) => c.data),
  ]);
}

function viaEntryPoint(p: Params, calls: Call[]): Call {
  const op = {
    sender: p.actor,
    nonce: p.nonce,
    initCode: "0x",
    callData: accountData(calls),
    accountGasLimits: solidityPacked(["uint128", "uint128"], [150_000, 200_000]),
    preVerificationGas: 50_000,
    gasFees: solidityPacked(["uint128", "uint128"], [1_000_000_000, 20_000_000_000]),
    paymasterAndData: "0x",
    signature: "0x" + "3c".repeat(65),
  };
  return { to: ENTRYPOINT_07, data: entrypoint.encodeFunctionData("handleOps", [[op], p.sender]), value: 0n };
}

const TUPLES = ["tuple(address target, uint256 value, bytes callData)[]"];

function modularMode(callType: string): string {
  return "0x" + callType + "00".repeat(31);
}

function via7579(p: Params, calls: Call[]): Call {
  const only = must(calls[0]);
  let mode = modularMode("00");
  let body = solidityPacked(["address", "uint256", "bytes"], [only.to, only.value, only.data]);
  if (calls.length > 1) {
    mode = modularMode("01");
    body = coder.encode(TUPLES, [calls.map((c) => [c.to, c.value, c.data])]);
  } else if (p.operation === 1) {
    mode = modularMode("ff");
    body = solidityPacked(["address", "bytes"], [only.to, only.data]);
  }
  return { to: p.actor, data: modular.encodeFunctionData("execute", [mode, body]), value: 0n };
}

function via7821(p: Params, calls: Call[]): Call {
  const body = coder.encode(TUPLES, [calls.map((c) => [c.to, c.value, c.data])]);
  return { to: p.actor, data: modular.encodeFunctionData("execute", [modularMode("01"), body]), value: 0n };
}

export function wrapCalls(p: Params, calls: Call[]): Call[] {
  switch (p.wrap) {
    case "none":
      return calls;
    case "safe":
      return calls.length === 1 ? [execSafe(p, must(calls[0]), p.operation)] : [viaMultiSend(p, calls)];
    case "multisend":
      return [viaMultiSend(p, calls)];
    case "account":
      return [{ to: p.actor, data: accountData(calls), value: 0n }];
    case "entrypoint":
      return [viaEntryPoint(p, calls)];
    case "erc7579":
      return [via7579(p, calls)];
    case "erc7821":
      return [via7821(p, calls)];
  }
}
