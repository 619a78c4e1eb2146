// Hexadecimal forms. A quantity has no leading zeros; a word has 32 bytes. Both are in lower case, so that equal values are
// equal strings.
import type { Hex } from "@countersign/wire";

export const quantity = (value: bigint | number): Hex => `0x${value.toString(16)}`;

export const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, "0")}`;

/** Returns the address in the last 20 bytes of a word. */
export const addressIn = (value: Hex): Hex => `0x${value.slice(-40)}`;

/** keccak256 of no bytes: the code hash of an account without code. */
export const noCode: Hex = "0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470";
/** The root of an empty trie. */
export const emptyRoot: Hex = "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421";
export const zeroAddress: Hex = `0x${"0".repeat(40)}`;
export const zeroHash: Hex = `0x${"0".repeat(64)}`;
