import { decodeErrorResult, parseAbi } from "viem";
import type { Hex } from "@countersign/wire";

const reasons = parseAbi(["error Error(string message)", "error Panic(uint256 code)"]);

/** Returns the contract's own revert reason, if it can be decoded. */
export function revertReason(data: Hex): string | undefined {
  try {
    const { errorName, args } = decodeErrorResult({ abi: reasons, data });
    return errorName === "Error" ? args[0] : `panic ${args[0].toString()}`;
  } catch {
    return undefined;
  }
}
