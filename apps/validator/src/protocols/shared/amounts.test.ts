import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { everything, exactly, MAX_UINT } from "../../effects.ts";
import { addressInWord } from "./address-words.ts";
import { allOrExactly, assetsOrShares, coinFor, lossBps, rescale, sum } from "./amounts.ts";

const amount = fc.bigInt({ min: 1n, max: 10n ** 30n });

describe("amounts in protocol arguments", () => {
  test("the maximum integer means everything, and no other value does", () => {
    expect(allOrExactly(MAX_UINT)).toEqual(everything);
    expect(allOrExactly(MAX_UINT - 1n)).toEqual(exactly(MAX_UINT - 1n));
  });

  test("shares give no amount", () => {
    expect(assetsOrShares(0n, 5n)).toEqual(everything);
    expect(assetsOrShares(7n, 0n)).toEqual(exactly(7n));
    expect(() => assetsOrShares(7n, 5n)).toThrow("both");
  });

  test("native value counts as spent, however much of it may be returned", () => {
    expect(coinFor(5n, 3n)).toEqual(exactly(5n));
    expect(coinFor(5n, MAX_UINT)).toEqual({ ...exactly(5n), everything: true });
  });

  test("a loss is never rounded to zero, and a gain is not a loss", () => {
    fc.assert(
      fc.property(amount, amount, (a, b) => {
        const bps = lossBps(a, b);
        if (b >= a) expect(bps).toBe(0n);
        else expect(bps).toBeGreaterThan(0n);
        expect(bps).toBeLessThanOrEqual(10_000n);
      }),
    );
  });

  test("scaling to more decimals and back gives the same amount", () => {
    fc.assert(
      fc.property(amount, fc.nat(18), fc.nat(18), (n, from, more) => {
        expect(rescale(rescale(n, from, from + more), from + more, from)).toBe(n);
      }),
    );
    expect(sum([])).toBe(0n);
    expect(sum([1n, 2n])).toBe(3n);
  });

  test("a receiver in 32 bytes is an address only if the rest is zero", () => {
    const address = `0x${"11".repeat(20)}` as const;
    expect(addressInWord(`0x${"0".repeat(24)}${address.slice(2)}`)).toBe(address);
    expect(() => addressInWord(`0x01${"0".repeat(22)}${address.slice(2)}`)).toThrow(
      "the receiver is not an address of an EVM chain",
    );
  });
});
