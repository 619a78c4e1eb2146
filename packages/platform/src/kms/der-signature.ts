// ECDSA signatures of secp256k1 as key services write them (DER), and as Ethereum reads them.
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** Reads one INTEGER at an offset. Undefined unless it is positive and in its shortest form. */
function readInteger(der: Buffer, at: number): { readonly value: bigint; readonly end: number } | undefined {
  const length = der[at + 1] ?? 0;
  const bytes = der.subarray(at + 2, at + 2 + length);
  const [first = 0x80, second = 0] = bytes;
  if (der[at] !== 0x02 || length === 0 || bytes.length !== length || first >= 0x80) return undefined;
  if (first === 0 && length > 1 && second < 0x80) return undefined;
  return { value: BigInt(`0x${bytes.toString("hex")}`), end: at + 2 + length };
}

export type ParsedSignature = { readonly r: bigint; readonly s: bigint };

/**
 * Returns r and the lower of the two values of s, because Ethereum rejects the upper. Undefined for anything but one
 * signature in strict DER with both numbers in range.
 */
export function readDerSignature(der: Buffer): ParsedSignature | undefined {
  if (der[0] !== 0x30 || der[1] !== der.length - 2 || der.length > 72) return undefined;
  const r = readInteger(der, 2);
  const s = r === undefined ? undefined : readInteger(der, r.end);
  if (r === undefined || s?.end !== der.length) return undefined;
  if ([r.value, s.value].some((value) => value === 0n || value >= order)) return undefined;
  return { r: r.value, s: s.value > order / 2n ? order - s.value : s.value };
}
