/** Addresses that are passed as 32-byte words, often with flags in the bits above. */
import { word } from "../../bytes/openings.ts";
import type { Address, Hex } from "../../proposal.ts";
import type { CallView } from "../../protocol.ts";
import { inert, type Opening, type Use } from "../../uses.ts";
import { addressIn } from "./swap-draft.ts";

export const wordOf = (value: bigint): Hex => `0x${value.toString(16).padStart(64, "0")}`;

type AddressWord = Opening<{ readonly address: bigint; readonly above: bigint }>;

/** An address in the low 160 bits. `above`: the use of the other bits. */
export const addressWord = (use: Use, above: Use = inert.unused): AddressWord =>
  word("address in the low 160 bits", {
    address: { at: 0, bits: 160, use },
    above: { at: 160, bits: 96, use: above },
  });

export const openAddress = (opening: AddressWord, value: bigint, at: string, call: CallView): Address =>
  addressIn(call.open(opening, wordOf(value), at).address);
