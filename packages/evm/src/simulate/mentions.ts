import type { Hex } from "@countersign/wire";

/** More than an honest call names. */
const most = 16;

/** Smaller numbers are amounts, times and offsets. An address with eight leading zero bytes is not expected to exist. */
const smallest = 2n ** 96n;
const largest = 2n ** 160n;

/**
 * Returns the addresses among the 32-byte arguments of a call, in their order, at most 16. An amount can look like an address; then
 * an account that does not matter is measured as well.
 */
export function listMentions(data: Hex): readonly Hex[] {
  const found = new Set<Hex>();
  for (let at = 10; at + 64 <= data.length && found.size < most; at += 64) {
    const word = BigInt(`0x${data.slice(at, at + 64)}`);
    if (word >= smallest && word < largest) found.add(`0x${data.slice(at + 24, at + 64)}`);
  }
  return [...found];
}
