// The packed calls of a Safe's MultiSend: operation (1 byte), target (20), value (32), length (32), calldata, without padding.
import type { Hex } from "viem";
import { decodeFunctionData, parseAbi } from "viem/utils";

export type PackedCall = {
  /** 0: a call. 1: code that the Safe runs as its own. */
  readonly operation: number;
  readonly to: Hex;
  readonly value: bigint;
  readonly data: Hex;
};

const abi = parseAbi(["function multiSend(bytes transactions)"]);

/** MultiSend and MultiSendCallOnly of Safe 1.1.1 to 1.5.0. A Safe gives other contracts control of itself in this way. */
const known: ReadonlySet<string> = new Set([
  "0x8d29be29923b68abfdd21e541b9374737b49cdad",
  "0xa238cbeb142c10ef7ad8442c6d1f9e89e07e7761",
  "0x998739bfdaadde7c933b942a68053933098f9eda",
  "0x38869bf66a61cf6bdb996a6ae40d5853fd43b526",
  "0x218543288004cd07832472d464648173c77d7eb7",
  "0x40a2accbd92bca938b02010e17a5b8929b49130d",
  "0xa1dabef33b3b82c7814b6d82a79e50f4ac44102b",
  "0x9641d764fc13c8b624c04430c7356c1c7c8102e2",
  "0xa83c336b20401af773b6219ba5027174338d1836",
]);

export const isMultiSend = (address: Hex): boolean => known.has(address);

const header = 170;

function decode(data: Hex): Hex | undefined {
  try {
    return decodeFunctionData({ abi, data }).args[0].toLowerCase() as Hex;
  } catch {
    return undefined;
  }
}

/** Returns the calls in the calldata of `multiSend`, as far as they are whole, and whether they are all of it. Undefined for another function. */
export function readMultiSend(
  data: Hex,
): { readonly calls: readonly PackedCall[]; readonly isWhole: boolean } | undefined {
  const packed = decode(data);
  if (packed === undefined) return undefined;
  const calls: PackedCall[] = [];
  let at = 2;
  while (at + header <= packed.length) {
    const length = BigInt(`0x${packed.slice(at + 106, at + header)}`);
    if (length > BigInt(packed.length)) break;
    const end = at + header + 2 * Number(length);
    calls.push({
      operation: Number(`0x${packed.slice(at, at + 2)}`),
      to: `0x${packed.slice(at + 2, at + 42)}`,
      value: BigInt(`0x${packed.slice(at + 42, at + 106)}`),
      data: `0x${packed.slice(at + header, end)}`,
    });
    at = end;
  }
  return { calls, isWhole: at === packed.length };
}
