// Words of events and of answers: 32 bytes each.
import type { Hex } from "@countersign/wire";

const size = 64;

export const wordOf = (value: bigint): Hex => `0x${value.toString(16).padStart(size, "0")}`;
/** An address as an indexed member of an event. */
export const topicOf = (address: Hex): Hex => `0x${address.slice(2).toLowerCase().padStart(size, "0")}`;

/** Returns one word of data, as a number. Undefined if there are fewer. */
export function wordAt(data: Hex, index: number): bigint | undefined {
  const word = data.slice(2 + index * size, 2 + (index + 1) * size);
  return word.length === size ? BigInt(`0x${word}`) : undefined;
}
