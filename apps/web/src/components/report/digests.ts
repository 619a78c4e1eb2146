// What a hardware wallet shows of a transaction's data, so that the two can be compared.
import { concatHex, keccak256, numberToHex, size, type Hex } from "viem";

const isBytes = (data: string): data is Hex => /^0x([0-9a-f]{2})*$/i.test(data);

export type DataDigests = { readonly plain: Hex; readonly withLength: Hex };

/** Undefined if it is no bytes. */
export function digestsOf(data: string): DataDigests | undefined {
  if (!isBytes(data)) return undefined;
  return {
    plain: keccak256(data),
    // ERC-8213: the length comes first, as a word of 32 bytes.
    withLength: keccak256(concatHex([numberToHex(size(data), { size: 32 }), data])),
  };
}
