import fc from "fast-check";
import { zeroAddress } from "viem";
import { describe, expect, test } from "vitest";
import {
  blockAfter,
  blockThatTakes,
  mostGas,
  priceOf,
  usualFees,
  usualGas,
  type Parent,
} from "./surroundings.ts";

const gwei = 10n ** 9n;
const parent: Parent = {
  ...{ number: 7n, timestamp: 1_000n, gasLimit: 30_000_000n, gasUsed: 15_000_000n },
  ...{ baseFeePerGas: 8n * gwei, miner: `0x${"11".repeat(20)}` },
};
const wei = (max: bigint) => fc.bigInt({ min: 0n, max });

describe("the next block", () => {
  test("follows its parent, with drawn randomness", () => {
    const [one, other] = [blockAfter(parent, zeroAddress), blockAfter(parent, zeroAddress)];
    expect(one).toMatchObject({ number: 8n, time: 1_012n, gasLimit: 30_000_000n, feeRecipient: zeroAddress });
    expect(one.prevRandao).toMatch(/^0x[0-9a-f]{64}$/);
    expect(one.prevRandao).not.toBe(other.prevRandao);
  });

  test.each([
    ["half full", 15_000_000n, 8n * gwei, 8n * gwei],
    ["empty", 0n, 8n * gwei, 7n * gwei],
    ["full", 30_000_000n, 8n * gwei, 9n * gwei],
    ["a little over half full", 15_000_001n, 8n, 9n],
    ["empty without a base fee", 0n, null, null],
  ])("after one that is %s has the base fee of EIP-1559", (_, gasUsed, base, next) => {
    const { baseFeePerGas } = blockAfter({ ...parent, gasUsed, baseFeePerGas: base }, zeroAddress);
    expect(baseFeePerGas).toBe(next);
  });

  test("has a base fee within an eighth of its parent's", () => {
    fc.assert(
      fc.property(wei(10n ** 15n), wei(30_000_000n), fc.nat(100), (base, target, percent) => {
        const gasLimit = 2n * target;
        const gasUsed = (gasLimit * BigInt(percent)) / 100n;
        const next = blockAfter({ ...parent, gasLimit, gasUsed, baseFeePerGas: base }, zeroAddress);
        const distance = (next.baseFeePerGas ?? 0n) - base;
        expect(distance < 0n ? -distance : distance).toBeLessThanOrEqual(base / 8n + 1n);
      }),
    );
  });

  test("that takes a transaction has no base fee above its maximum", () => {
    const block = blockAfter(parent, zeroAddress);
    const terms = { gas: 1n, maxFeePerGas: 5n, maxPriorityFeePerGas: 1n, accessList: [] };
    expect(blockThatTakes(block, terms).baseFeePerGas).toBe(5n);
    expect(blockThatTakes(block, { ...terms, maxFeePerGas: 8n * gwei })).toBe(block);
  });
});

describe("the gas of a transaction", () => {
  test("is at most the protocol's maximum, the block's, and what the wallet can pay", () => {
    const rich = { funds: 10n ** 24n, maxFeePerGas: gwei, probes: 2 };
    expect(mostGas({ ...parent, gasLimit: 60_000_000n }, rich)).toBe(16_777_216n);
    expect(mostGas({ ...parent, gasLimit: 1_000_000n }, rich)).toBe(800_000n);
    expect(mostGas(parent, { ...rich, funds: 50_000n * gwei })).toBe(50_000n);
    expect(mostGas(parent, { ...rich, funds: -1n })).toBeLessThan(21_000n);
    expect(mostGas(parent, { ...rich, funds: 0n, maxFeePerGas: 0n })).toBe(16_777_216n);
  });

  test("is usually the estimate or up to half as much again, and never above the maximum", () => {
    fc.assert(
      fc.property(wei(10n ** 7n), wei(10n ** 7n), (estimate, room) => {
        const gas = usualGas(estimate, estimate + room);
        expect(gas).toBeGreaterThanOrEqual(estimate);
        expect(gas).toBeLessThanOrEqual(estimate + (estimate + 1n) / 2n);
        expect(gas).toBeLessThanOrEqual(estimate + room);
      }),
    );
  });
});

describe("the price of gas", () => {
  test("is never 0 for usual fees", () => {
    fc.assert(
      fc.property(fc.option(wei(10n ** 15n)), wei(10n ** 15n), (baseFeePerGas, gasPrice) => {
        const found = { ...parent, baseFeePerGas };
        const terms = { gas: 21_000n, accessList: [], ...usualFees(found, gasPrice) };
        expect(priceOf({ block: blockAfter(found, zeroAddress), terms })).toBeGreaterThan(0n);
      }),
    );
  });

  test("is the base fee and the tip, at most the maximum", () => {
    const block = blockAfter(parent, zeroAddress);
    const terms = { gas: 1n, maxFeePerGas: 20n * gwei, maxPriorityFeePerGas: gwei, accessList: [] };
    expect(priceOf({ block, terms })).toBe(9n * gwei);
    expect(priceOf({ block, terms: { ...terms, maxFeePerGas: 8n * gwei } })).toBe(8n * gwei);
    expect(priceOf({ block: { ...block, baseFeePerGas: null }, terms })).toBe(20n * gwei);
    expect(priceOf({ block: undefined, terms: undefined })).toBe(0n);
  });
});
