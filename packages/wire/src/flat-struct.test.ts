import fc from "fast-check";
import { hashTypedData, keccak256 } from "viem/utils";
import { describe, expect, test } from "vitest";
import { keccak as keccakHere } from "#keccak";
import { aDomain, anyHex, anyWord } from "../test/index.ts";
import { domainOf } from "./domain.ts";
import { flatStruct } from "./flat-struct.ts";
import { keccak as keccakElsewhere } from "./keccak.ts";

const fields = [
  { name: "who", type: "address" },
  { name: "small", type: "uint8" },
  { name: "middle", type: "uint64" },
  { name: "large", type: "uint256" },
  { name: "hash", type: "bytes32" },
  { name: "text", type: "string" },
] as const;
const hash = flatStruct("Anything", fields);
const aMessage = {
  who: `0x${"a1".repeat(20)}`,
  small: 1,
  middle: 2,
  large: 3n,
  hash: `0x${"b2".repeat(32)}`,
  text: "",
};

describe("a flat structure", () => {
  test("has the digest that a library computes", () => {
    const message = fc.record({
      who: anyHex(20, 20),
      small: fc.nat(255),
      middle: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      large: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
      hash: anyWord,
      text: fc.string({ unit: "grapheme" }).filter((text) => text.isWellFormed()),
    });
    fc.assert(
      fc.property(message, fc.constantFrom("1" as const, "2" as const), (given, version) => {
        const domain = domainOf(aDomain, version);
        const definition = {
          domain,
          types: { Anything: fields },
          primaryType: "Anything",
          message: given,
        } as const;
        expect(hash(domain, given)).toBe(hashTypedData(definition as Parameters<typeof hashTypedData>[0]));
      }),
    );
  });

  test.each([
    ["an address of another length", { who: `0x${"a1".repeat(19)}` }],
    ["an address with a letter beyond f", { who: `0x${"g1".repeat(20)}` }],
    ["an address after 0X", { who: `0X${"a1".repeat(20)}` }],
    ["an address as a number", { who: 5n }],
    ["a word of another length", { hash: `0x${"b2".repeat(33)}` }],
    ["a number below zero", { large: -1n }],
    ["a number that does not fit", { small: 256 }],
    ["a larger number that does not fit", { large: 2n ** 256n }],
    ["a number with a fraction", { middle: 1.5 }],
    ["a number beyond 2^53", { middle: 2 ** 60 }],
    ["a number as text", { middle: "5" }],
    ["a missing member", { text: undefined }],
  ])("is refused with %s", (_, change) => {
    expect(() => hash(domainOf(aDomain), aMessage)).not.toThrow();
    expect(() => hash(domainOf(aDomain), { ...aMessage, ...change } as never)).toThrow();
  });
});

test("keccak256 is the same in WebAssembly, in JavaScript and in a library", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
      expect(keccakHere(bytes)).toEqual(keccak256(bytes, "bytes"));
      expect(keccakElsewhere(bytes)).toEqual(keccak256(bytes, "bytes"));
    }),
  );
  const large = new Uint8Array(100_000).map((_, at) => at % 251);
  expect(keccakHere(large)).toEqual(keccak256(large, "bytes"));
});
