/** Addresses in 32-byte slots: bridges write the receiver on another chain this way. */
import type { Address, Hex } from "../../proposal.ts";

export const ZERO_WORD: Hex = `0x${"0".repeat(64)}`;

/** Anything in the upper twelve bytes is an account of a chain that is not an EVM chain, which we do not read. */
export const addressInWord = (word: Hex): Address => {
  if (!/^0x0{24}[0-9a-fA-F]{40}$/.test(word))
    throw new Error("the receiver is not an address of an EVM chain");
  return `0x${word.slice(26).toLowerCase()}`;
};
