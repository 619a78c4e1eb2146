// A Safe's nonce. A request does not name it, so it is compared with the chain.
import { decodeFunctionResult, encodeFunctionData, parseAbi } from "viem/utils";
import type { Ask } from "../fresh/simulate-fresh.ts";
import { NotApprovedError } from "../guard/not-approved.ts";
import type { Hex } from "../types.ts";
import type { SafeOptions } from "./safe-options.ts";

const abi = parseAbi(["function nonce() view returns (uint256)"]);
const data = encodeFunctionData({ abi });

/** Returns the nonce of the Safe's next transaction. */
export async function readNonce(ask: Ask, safe: Hex): Promise<bigint> {
  const answer = await ask("eth_call", [{ to: safe, data }, "latest"]);
  return decodeFunctionResult({ abi, data: answer as Hex });
}

/** Throws a NotApprovedError for a nonce that is used, or too far ahead. */
export function checkNonce(nonce: bigint, next: bigint, { maxAhead = 0 }: SafeOptions): void {
  if (nonce < next)
    throw new NotApprovedError(`Not signed: nonce ${nonce} is used. The Safe's next one is ${next}`);
  if (nonce > next + BigInt(maxAhead))
    throw new NotApprovedError(
      `Not signed: nonce ${nonce} is not the Safe's next one, ${next}. To confirm transactions that wait for others, set maxAhead`,
    );
}
