/**
 * Settlers are replaced every few weeks, so a list of them is soon outdated. But their deployer derives every address
 * from the feature, the chain and a counter, and no other account can deploy there: the next addresses are known in
 * advance.
 */
import { concatHex, keccak256, numberToHex } from "viem/utils";
import type { Address, Hex } from "../../proposal.ts";

const DEPLOYER: Address = "0x00000000000004533fe15556b1e086bb1a72ceae";
const SHIM: Hex = "0x3bf3f97f0be1e2c00023033eefeb4fc062ac552ff36778b17060d90b6764902f";
/** Swaps that their taker submits. */
const TAKER_SUBMITTED = 2n;
const COUNTED = 48n;

const tail = (hash: Hex): Address => `0x${hash.slice(26)}`;

export const settlerAt = (chain: number, counter: bigint): Address => {
  const salt = numberToHex((TAKER_SUBMITTED << 128n) | (BigInt(chain) << 64n) | counter, { size: 32 });
  const shim = tail(keccak256(concatHex(["0xff", DEPLOYER, salt, SHIM])));
  return tail(keccak256(concatHex(["0xd694", shim, "0x01"])));
};

export const settlersOn = (chains: readonly number[]): Readonly<Record<number, readonly Address[]>> =>
  Object.fromEntries(
    chains.map((chain) => [
      chain,
      Array.from({ length: Number(COUNTED) }, (_, i) => settlerAt(chain, BigInt(i))),
    ]),
  );
