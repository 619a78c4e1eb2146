// The block, the gas and the fees that a call is simulated with. Contracts can read all of them, so they are those of
// a real transaction in the next block and not a simulation's defaults.
import { randomBytes } from "node:crypto";
import { numberToHex, zeroAddress, zeroHash, type AccessList } from "viem";
import type { Hex } from "@countersign/wire";

/** Gas and fees of a transaction as it will be sent, in wei. */
export type SendingTerms = {
  readonly gas: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  readonly accessList: AccessList;
};

/** The members of the latest block that the next one follows from. */
export type Parent = {
  readonly number: bigint;
  readonly timestamp: bigint;
  readonly gasLimit: bigint;
  readonly gasUsed: bigint;
  /** Null on chains without a base fee. */
  readonly baseFeePerGas: bigint | null;
  readonly miner: Hex;
};

export type NextBlock = {
  readonly number: bigint;
  readonly time: bigint;
  readonly gasLimit: bigint;
  readonly baseFeePerGas: bigint | null;
  readonly feeRecipient: Hex;
  readonly prevRandao: Hex;
};

export type InBlock = { readonly block: NextBlock; readonly terms: SendingTerms };
/** Undefined block and terms: a simulation's defaults. */
export type Surroundings = InBlock | { readonly block: undefined; readonly terms: undefined };

const random = (bytes: number): Hex => `0x${randomBytes(bytes).toString("hex")}`;
export const randomAddress = (): Hex => random(20);

const slotSeconds = 12n;

/** Returns the block after `parent` with that proposer. Its randomness is drawn, because it is not known yet. */
export const blockAfter = (parent: Parent, feeRecipient: Hex): NextBlock => ({
  number: parent.number + 1n,
  time: parent.timestamp + slotSeconds,
  gasLimit: parent.gasLimit,
  baseFeePerGas: nextBaseFee(parent),
  feeRecipient,
  prevRandao: random(32),
});

/** EIP-1559. Chains with other constants have another base fee, though one within an eighth of the parent's as well. */
function nextBaseFee({ baseFeePerGas: base, gasLimit, gasUsed }: Parent): bigint | null {
  if (base === null) return null;
  const target = gasLimit / 2n;
  if (gasUsed === target || target === 0n) return base;
  const distance = gasUsed > target ? gasUsed - target : target - gasUsed;
  const change = (base * distance) / target / 8n;
  if (gasUsed < target) return base - change;
  return base + (change > 0n ? change : 1n);
}

/** The maximum of a transaction since EIP-7825. */
const maxGas = 2n ** 24n;
/** For the calls that measure balances in the same block. */
export const probeGas = 100_000n;

type Means = {
  readonly funds: bigint;
  readonly maxFeePerGas: bigint;
  /** How many calls measure balances in the same block. */
  readonly probes: number;
};

/** Returns as much gas as a transaction of this wallet can have. Less than 21,000: it cannot pay for any. */
export function mostGas({ gasLimit }: Parent, { funds, maxFeePerGas, probes }: Means): bigint {
  const inBlock = gasLimit - BigInt(probes) * probeGas;
  const most = inBlock < maxGas ? inBlock : maxGas;
  if (maxFeePerGas === 0n) return most;
  const affordable = funds / maxFeePerGas;
  return affordable < most ? affordable : most;
}

/** Returns the fees that wallets offer by default. `gasPrice` is the node's suggestion. */
export function usualFees(
  { baseFeePerGas }: Parent,
  gasPrice: bigint,
): Pick<SendingTerms, "maxFeePerGas" | "maxPriorityFeePerGas"> {
  const base = baseFeePerGas ?? 0n;
  const tip = gasPrice > base ? gasPrice - base : 1n;
  return { maxFeePerGas: 2n * base + tip, maxPriorityFeePerGas: tip };
}

/** Returns a gas limit as wallets choose them: the estimate and up to half as much again, at random. */
export function usualGas(estimate: bigint, most: bigint): bigint {
  const more = (estimate * BigInt(randomBytes(2).readUInt16BE())) / 131_072n;
  return estimate + more < most ? estimate + more : most;
}

/** The transaction waits until the base fee is not above its maximum, so it never sees a higher one. */
export const blockThatTakes = (block: NextBlock, { maxFeePerGas }: SendingTerms): NextBlock =>
  block.baseFeePerGas !== null && block.baseFeePerGas > maxFeePerGas
    ? { ...block, baseFeePerGas: maxFeePerGas }
    : block;

/** Returns the price of one gas, in wei. */
export function priceOf({ block, terms }: Surroundings): bigint {
  if (block === undefined) return 0n;
  const offered = (block.baseFeePerGas ?? 0n) + terms.maxPriorityFeePerGas;
  if (block.baseFeePerGas === null) return terms.maxFeePerGas;
  return offered < terms.maxFeePerGas ? offered : terms.maxFeePerGas;
}

/** Returns the fees as members of a request. */
export function feesIn({ block, terms }: Surroundings): object {
  if (block === undefined) return {};
  if (block.baseFeePerGas === null) return { gasPrice: numberToHex(terms.maxFeePerGas) };
  const { maxFeePerGas, maxPriorityFeePerGas } = terms;
  return {
    maxFeePerGas: numberToHex(maxFeePerGas),
    maxPriorityFeePerGas: numberToHex(maxPriorityFeePerGas),
  };
}

/** Returns gas, fees and access list as members of a request. */
export function termsIn(surroundings: Surroundings): object {
  const { terms } = surroundings;
  if (terms === undefined) return {};
  const { gas, accessList } = terms;
  return {
    gas: numberToHex(gas),
    ...feesIn(surroundings),
    ...(accessList.length > 0 ? { accessList } : {}),
  };
}

/** Returns the block as `blockOverrides`. A simulation by default has no proposer and no randomness. */
export function overridesIn({ block }: Surroundings): object {
  if (block === undefined) return { feeRecipient: zeroAddress, prevRandao: zeroHash };
  const { number, time, gasLimit, baseFeePerGas, feeRecipient, prevRandao } = block;
  return {
    ...{ number: numberToHex(number), time: numberToHex(time), gasLimit: numberToHex(gasLimit) },
    ...{ feeRecipient, prevRandao },
    ...(baseFeePerGas === null ? {} : { baseFeePerGas: numberToHex(baseFeePerGas) }),
  };
}
