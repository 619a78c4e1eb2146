import { keccak256 } from "viem/utils";
import type { Hex } from "@countersign/wire";
import type { Header } from "../proof/header.ts";

/** The values of a block that a contract can read. */
export type BlockValues = {
  readonly number: bigint;
  readonly timestamp: bigint;
  readonly coinbase: Hex;
  readonly gasLimit: bigint;
  readonly baseFeePerGas: bigint;
  readonly prevRandao: Hex;
  readonly excessBlobGas: bigint;
};

const slotSeconds = 12n;

/**
 * Returns the block after this one, as a proposer could build it. It is a function of the header, so a witness cannot choose it;
 * the randomness of the real block is not known yet. Values that are 0 on the chain are the only ones that are 0 here.
 */
export const nextBlock = (header: Header): BlockValues => ({
  number: header.number + 1n,
  timestamp: header.timestamp + slotSeconds,
  coinbase: header.coinbase,
  gasLimit: header.gasLimit,
  baseFeePerGas: nextBaseFee(header),
  prevRandao: keccak256(header.hash),
  excessBlobGas: header.excessBlobGas,
});

/** EIP-1559. Chains with other constants have another base fee, within an eighth of the parent's as well. */
export function nextBaseFee({
  baseFeePerGas: base,
  gasLimit,
  gasUsed,
}: Pick<Header, "baseFeePerGas" | "gasLimit" | "gasUsed">): bigint {
  const target = gasLimit / 2n;
  if (gasUsed === target || target === 0n) return base;
  const distance = gasUsed > target ? gasUsed - target : target - gasUsed;
  const change = (base * distance) / target / 8n;
  if (gasUsed < target) return base - change;
  return base + (change > 0n ? change : 1n);
}
