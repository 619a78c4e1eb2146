// The digests of calldata that hardware wallets show.
import { concatHex, keccak256, numberToHex, size, type Hex } from "viem";

const isBytes = (data: string): data is Hex => /^0x([0-9a-f]{2})*$/i.test(data);

export type DataDigests = { readonly plain: Hex; readonly withLength: Hex };

/** Returns undefined for invalid hex. */
export function digestsOf(data: string): DataDigests | undefined {
  if (!isBytes(data)) return undefined;
  return {
    plain: keccak256(data),
    // ERC-8213: prefixed with the length as a 32-byte word.
    withLength: keccak256(concatHex([numberToHex(size(data), { size: 32 }), data])),
  };
}
