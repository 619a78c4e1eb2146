// The calls that a Safe is asked to make. They follow from the calldata alone, so that capture and replay measure the same accounts.
import { decodeFunctionData, parseAbi } from "viem/utils";
import type { Hex } from "@countersign/wire";
import { readMultiSend } from "@countersign/wire/signed-calls";

type InnerCall = { readonly to: Hex; readonly data: Hex };

const abi = parseAbi([
  "function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)",
]);

/** More than an honest batch has. */
const most = 32;
const delegated = 1;

const lower = (text: string): Hex => text.toLowerCase() as Hex;

/** Returns undefined for another function. */
function decode(data: Hex): ReturnType<typeof decodeFunctionData<typeof abi>> | undefined {
  try {
    return decodeFunctionData({ abi, data });
  } catch {
    return undefined;
  }
}

/** Returns the calls that a Safe makes if it is called with this calldata, at most 32; null if it is not asked to execute anything. */
export function listSafeCalls(data: Hex): readonly InnerCall[] | null {
  const outer = decode(data);
  if (outer === undefined) return null;
  const [to, , inner, operation] = outer.args;
  const batch = operation === delegated ? readMultiSend(inner) : undefined;
  const calls = batch?.calls.slice(0, most) ?? [{ to: lower(to), data: lower(inner) }];
  return calls.map((one) => ({ to: one.to, data: one.data }));
}
