// Payments and allowances that are given by signature, as the calls with the same effect.
import type { Hex } from "viem";
import { encodeFunctionData, parseAbi } from "viem/utils";
import type { BatchCall } from "../calls.ts";
import { addressAt, fieldsOf, flagAt, integerAt, Unreadable, type Fields } from "./fields.ts";

export type Signed = { readonly account: Hex; readonly calls: readonly BatchCall[] };

const abi = parseAbi([
  "function transfer(address to, uint256 value)",
  "function approve(address spender, uint256 value)",
]);
const permit2Abi = parseAbi([
  "function approve(address token, address spender, uint160 amount, uint48 expiration)",
]);
const permit2: Hex = "0x000000000022d473030f116ddee9f6b43ac78ba3";
const lastSecond = 2n ** 48n - 1n;
const everything = 2n ** 256n - 1n;

const callOf = (to: Hex, data: Hex): BatchCall => ({ to, value: "0", data });

const approve = (token: Hex, spender: Hex, value: bigint): BatchCall =>
  callOf(token, encodeFunctionData({ abi, functionName: "approve", args: [spender, value] }));

/** ERC-3009. Who submits it cannot change where the money goes. */
export function readPayment(token: Hex, message: Fields): Signed {
  const args = [addressAt(message, "to"), integerAt(message, "value")] as const;
  const data = encodeFunctionData({ abi, functionName: "transfer", args });
  return { account: addressAt(message, "from"), calls: [callOf(token, data)] };
}

/** ERC-2612, and the form that DAI had before it: all or nothing. */
export function readPermit(token: Hex, message: Fields): Signed {
  const spender = addressAt(message, "spender");
  if (!Object.hasOwn(message, "holder")) {
    const account = addressAt(message, "owner");
    return { account, calls: [approve(token, spender, integerAt(message, "value"))] };
  }
  const value = flagAt(message, "allowed") ? everything : 0n;
  return { account: addressAt(message, "holder"), calls: [approve(token, spender, value)] };
}

/** Allowances inside Permit2, for one token or several. */
export function readAllowances(keeper: Hex, message: Fields): readonly BatchCall[] {
  if (keeper !== permit2) throw new Unreadable("verifyingContract");
  const { details } = message;
  const spender = addressAt(message, "spender");
  return (Array.isArray(details) ? (details as unknown[]) : [details]).map((one) => {
    const allowed = fieldsOf(one);
    const expiration = integerAt(allowed, "expiration");
    if (expiration > lastSecond) throw new Unreadable("expiration");
    const terms = [integerAt(allowed, "amount"), Number(expiration)] as const;
    const args = [addressAt(allowed, "token"), spender, ...terms] as const;
    return callOf(keeper, encodeFunctionData({ abi: permit2Abi, args }));
  });
}
