import fc from "fast-check";
import { expect, test } from "vitest";
import { readDerSignature } from "./der-signature.ts";

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const integer = (value: bigint): readonly number[] => {
  const hex = value.toString(16);
  const bytes = [...Buffer.from(hex.padStart(hex.length + (hex.length % 2), "0"), "hex")];
  const body = (bytes[0] ?? 0) >= 0x80 ? [0, ...bytes] : bytes;
  return [0x02, body.length, ...body];
};
const sequence = (...parts: readonly (readonly number[])[]): Buffer => {
  const body = parts.flat();
  return Buffer.from([0x30, body.length, ...body]);
};
const der = (r: bigint, s: bigint): Buffer => sequence(integer(r), integer(s));
const scalar = fc.bigInt({ min: 1n, max: order - 1n });

test("returns r and the lower s for every pair of numbers in range", () => {
  fc.assert(
    fc.property(scalar, scalar, (r, s) => {
      const low = s > order / 2n ? order - s : s;
      expect(readDerSignature(der(r, s))).toEqual({ r, s: low });
    }),
  );
});

test("keeps the largest lower s and replaces the one after it", () => {
  expect(readDerSignature(der(1n, order / 2n))).toEqual({ r: 1n, s: order / 2n });
  expect(readDerSignature(der(1n, order / 2n + 1n))).toEqual({ r: 1n, s: order / 2n });
});

test.each([
  ["zero r", der(0n, 1n)],
  ["zero s", der(1n, 0n)],
  ["r of the order", der(order, 1n)],
  ["s of the order", der(1n, order)],
  ["a negative number", sequence([0x02, 1, 0x80], integer(1n))],
  ["a number with a needless zero", sequence([0x02, 2, 0, 1], integer(1n))],
  ["an empty number", sequence([0x02, 0], integer(1n))],
  ["another type", sequence([0x04, 1, 1], integer(1n))],
  ["a third number", sequence(integer(1n), integer(1n), integer(1n))],
  ["one number", sequence(integer(1n))],
  ["a byte after the end", Buffer.concat([der(1n, 1n), Buffer.alloc(1)])],
  ["a byte less", der(1n, 1n).subarray(0, -1)],
  ["a length in the long form", Buffer.from([0x30, 0x81, 6, 2, 1, 1, 2, 1, 1])],
  ["a number of 33 significant bytes", der(1n << 256n, 1n)],
  ["nothing", Buffer.alloc(0)],
])("rejects %s", (_, bytes) => {
  expect(readDerSignature(bytes)).toBeUndefined();
});
