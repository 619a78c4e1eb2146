// Reads a call of the Safe's owner to the Safe: an execution, or a confirmation on the chain.
import { decodeFunctionData, encodeFunctionData, parseAbi } from "viem/utils";
import type { ExactCall } from "../guard/read-send.ts";
import type { Hex } from "../types.ts";
import type { SafeTx } from "./safe-options.ts";

const abi = parseAbi([
  "function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)",
  "function approveHash(bytes32 hash)",
]);

export type OwnerCall =
  /** The Safe adds its next nonce. */
  | { readonly kind: "execution"; readonly tx: Omit<SafeTx, "nonce">; readonly signatures: Hex }
  | { readonly kind: "approval"; readonly hash: Hex };

/** Returns undefined for any other call, also for one with data behind the arguments. */
export function readOwnerCall({ to, value, data }: ExactCall, safe: Hex): OwnerCall | undefined {
  if (to.toLowerCase() !== safe.toLowerCase() || value !== 0n) return undefined;
  const decoded = decode(data);
  if (decoded === undefined || encodeFunctionData({ abi, ...decoded }) !== data.toLowerCase())
    return undefined;
  if (decoded.functionName === "approveHash") return { kind: "approval", hash: decoded.args[0] };
  const [
    target,
    amount,
    inner,
    operation,
    safeTxGas,
    baseGas,
    gasPrice,
    gasToken,
    refundReceiver,
    signatures,
  ] = decoded.args;
  if (operation !== 0 && operation !== 1) return undefined;
  const kind: 0 | 1 = operation === 0 ? 0 : 1;
  const tx = {
    ...{ to: target, value: amount, data: inner, operation: kind },
    ...{ safeTxGas, baseGas, gasPrice, gasToken, refundReceiver },
  } as const;
  return { kind: "execution", tx, signatures };
}

function decode(data: Hex) {
  try {
    return decodeFunctionData({ abi, data: data.toLowerCase() as Hex });
  } catch {
    return undefined;
  }
}

/**
 * Returns whether these signatures confirm for `owner` only with the given one. A signature covers the nonce. An owner who sends
 * can also confirm without one (v = 1), which is valid at every nonce, so that the same payment could be made twice.
 */
export function isConfirmedBy(signatures: Hex, signature: Hex, owner: Hex): boolean {
  const parts: readonly string[] =
    signatures
      .slice(2)
      .toLowerCase()
      .match(/.{130}/g) ?? [];
  const address = owner.slice(2).toLowerCase();
  // The Safe reads the last 20 bytes of the first word.
  const isSender = (part: string): boolean => part.slice(24, 64) === address && part.endsWith("01");
  return parts.includes(signature.slice(2).toLowerCase()) && !parts.some(isSender);
}
