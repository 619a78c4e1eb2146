import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { endsOf, looksLike } from "./look-alike.ts";

const hex = (length: number) =>
  fc.string({
    unit: fc.constantFrom(..."0123456789abcdef".split("")),
    minLength: length,
    maxLength: length,
  });
const address = hex(40).map((digits) => `0x${digits}`);
const inAnyCase = (text: string, upper: boolean): string =>
  upper ? `0x${text.slice(2).toUpperCase()}` : text;

describe("looksLike", () => {
  test("finds every address with the same ends and another middle", () => {
    fc.assert(
      fc.property(hex(8), fc.tuple(hex(32), hex(32)), fc.boolean(), (ends, [one, other], upper) => {
        const [start, end] = [ends.slice(0, 4), ends.slice(4)];
        fc.pre(one !== other);
        const [real, fake] = [`0x${start}${one}${end}`, `0x${start}${other}${end}`];
        expect(looksLike(real, inAnyCase(fake, upper))).toBe(true);
      }),
    );
  });

  test("never takes an address for its own look-alike, in any case of its digits", () => {
    fc.assert(
      fc.property(address, fc.boolean(), (one, upper) => {
        expect(looksLike(one, inAnyCase(one, upper))).toBe(false);
      }),
    );
  });

  test("never takes an address with another digit at an end for a look-alike", () => {
    fc.assert(
      fc.property(address, fc.constantFrom(2, 3, 4, 5, 38, 39, 40, 41), hex(1), (one, at, digit) => {
        fc.pre(one[at] !== digit);
        expect(looksLike(one, `${one.slice(0, at)}${digit}${one.slice(at + 1)}`)).toBe(false);
      }),
    );
  });

  test("is symmetric, and the same as equal ends of different addresses", () => {
    // Few digits, so that equal ends occur.
    const few = fc
      .string({ unit: fc.constantFrom("0", "1"), minLength: 9, maxLength: 9 })
      .map((digits) => `0x${digits.slice(0, 4)}${digits[8]?.repeat(32)}${digits.slice(4, 8)}`);
    fc.assert(
      fc.property(few, few, (one, other) => {
        expect(looksLike(one, other)).toBe(looksLike(other, one));
        expect(looksLike(one, other)).toBe(one !== other && endsOf(one) === endsOf(other));
      }),
    );
  });
});
