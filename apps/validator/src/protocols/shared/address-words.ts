/** Addresses in 32-byte slots, as bridges write the receiver on another chain. */
import type { Address, Hex } from "../../proposal.ts";

export const ZERO_WORD: Hex = `0x${"0".repeat(64)}`;

/** Anything in the upper twelve bytes is an account of a chain that is not an EVM one: not for us to read. */
export const addressInWord = (word: Hex): Address => {
  if (!/^0x0{24}[0-9a-fA-F]{40}$/.test(word))
    throw new Error("the receiver is not an address of an EVM chain");
  return `0x${word.slice(26).toLowerCase()}`;
};
