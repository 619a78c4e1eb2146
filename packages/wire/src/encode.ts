// Encodes values for hashing. Each function rejects values that would hash ambiguously.
import type { Hex } from "viem";
import { bytesToHex, hexToBytes, stringToBytes } from "viem/utils";
import { keccak } from "#keccak";

/** Addresses are compared and hashed in lower case: the letters' case is a checksum, not a part of the address. */
export const lowerCase = (hex: Hex): Hex => `0x${hex.slice(2).toLowerCase()}`;

/** A whole number that a double holds exactly. Beyond that two different numbers would have one hash. */
export function uint(value: number): bigint {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new RangeError("Not a whole number from 0 to 2^53 - 1.");
  return BigInt(value);
}

/** A lone half of a surrogate pair has no UTF-8 form; encoders write U+FFFD for all of them, and hashes would collide. */
export function hashText(text: string): Hex {
  return bytesToHex(keccak(stringToBytes(wellFormed(text))));
}

export function wellFormed(text: string): string {
  if (!text.isWellFormed()) throw new RangeError("The text is not well-formed Unicode.");
  return text;
}

/**
 * Half a byte at the end would be padded, and so hashed as another value. After 0X, viem would hash the characters instead
 * of the bytes, and other bytes would have the same hash.
 */
export function hashBytes(hex: Hex): Hex {
  if (!/^0x[0-9a-fA-F]*$/.test(hex) || hex.length % 2 !== 0) throw new RangeError("Not hexadecimal bytes.");
  return bytesToHex(keccak(hexToBytes(hex)));
}
