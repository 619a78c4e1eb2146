// The program that a wallet runs when it makes several calls in one transaction. It runs in the account's place, so that contracts see
// the account as the caller, and stops at the first call that fails.
import { concatHex, numberToHex, size } from "viem/utils";
import type { Hex } from "@countersign/wire";
import type { FollowingCall } from "../witness.ts";

type Placed = FollowingCall & { readonly index: number; readonly offset: number; readonly failAt: number };

const push4 = (value: number): string => `63${numberToHex(value, { size: 4 }).slice(2)}`;
const pushGas = (gas: Hex): string => `67${numberToHex(BigInt(gas), { size: 8 }).slice(2)}`;
const pushValue = (value: Hex): string => `7f${numberToHex(BigInt(value), { size: 32 }).slice(2)}`;

/** The index stays on the stack; CODECOPY of the calldata to 0; CALL; JUMPI to the failure; POP. */
function codeOf({ to, value, data, gas, index, offset, failAt }: Placed): Hex {
  const length = push4(size(data));
  const copy = `${length}${push4(offset)}5f39`;
  const call = `5f5f${length}5f${pushValue(value)}73${to.slice(2)}${pushGas(gas)}f1`;
  return `0x${push4(index)}${copy}${call}15${push4(failAt)}5750`;
}

/** JUMPDEST; MSTORE of the index at 0; RETURNDATACOPY behind it; REVERT with both. */
const failure: Hex = "0x5b5f523d5f60203e3d6020015ffd";
const stop: Hex = "0x00";
const nowhere: Hex = `0x${"00".repeat(20)}`;
const bytesPerCall = size(
  codeOf({ to: nowhere, value: "0x0", data: "0x", gas: "0x0", index: 0, offset: 0, failAt: 0 }),
);

/** Returns code that makes these calls. If one fails, the output is its index in 32 bytes and what it returned. */
export function programOf(calls: readonly FollowingCall[]): Hex {
  const failAt = calls.length * bytesPerCall + size(stop);
  let offset = failAt + size(failure);
  const codes = calls.map((call, index) => {
    const code = codeOf({ ...call, index, offset, failAt });
    offset += size(call.data);
    return code;
  });
  return concatHex([...codes, stop, failure, ...calls.map(({ data }) => data)]);
}
