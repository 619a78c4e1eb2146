import { decodeErrorResult, parseAbi } from "viem/utils";
import type { Hex } from "@countersign/wire";

const errors = parseAbi(["error Error(string message)", "error Panic(uint256 code)"]);

/** Returns the contract's own reason, printable and at most 200 characters, if it can be decoded. */
export function readReason(data: Hex): string | undefined {
  try {
    const { errorName, args } = decodeErrorResult({ abi: errors, data });
    const text = errorName === "Error" ? args[0] : `panic ${args[0].toString()}`;
    return text
      .replace(/[^\x20-\x7e]+/g, " ")
      .trim()
      .slice(0, 200);
  } catch {
    return undefined;
  }
}
