import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addressAt, fieldsAt, flagAt, hexAt, integerAt, listAt, verifyingContract } from "./signed-fields.ts";

describe("fields of signed data", () => {
  test("read an integer alike as a number, a decimal, hex or bigint", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (n) => {
        expect(integerAt({ n }, "n")).toBe(n);
        expect(integerAt({ n: n.toString() }, "n")).toBe(n);
        expect(integerAt({ n: `0x${n.toString(16)}` }, "n")).toBe(n);
      }),
    );
    expect(integerAt({ n: 5 }, "n")).toBe(5n);
  });

  test.each([[-1], [1.5], ["-1"], ["1e3"], ["0x"], [""], [" 1"], [2n ** 256n], [null], [undefined], [{}]])(
    "reject %s as an unsigned integer",
    (n) => {
      expect(() => integerAt({ n }, "n")).toThrow("n is not an unsigned integer");
    },
  );

  test("return an address in lower case, and throw on anything else", () => {
    const mixed = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
    expect(addressAt({ a: mixed }, "a")).toBe(mixed.toLowerCase());
    for (const a of ["bob.eth", `${mixed}00`, 7, null])
      expect(() => addressAt({ a }, "a")).toThrow("a is not an address");
  });

  test("return structs and lists of structs, and throw on anything else", () => {
    expect(fieldsAt({ s: { x: 1 } }, "s")).toEqual({ x: 1 });
    expect(listAt({ l: [{ x: 1 }, { x: 2 }] }, "l")).toEqual([{ x: 1 }, { x: 2 }]);
    expect(() => fieldsAt({ s: [] }, "s")).toThrow("s is not a struct");
    expect(() => listAt({ l: {} }, "l")).toThrow("l is not a list");
    expect(() => listAt({ l: [1] }, "l")).toThrow("0 is not a struct");
  });

  test("read flags and hex strictly", () => {
    expect(flagAt({ f: "true" }, "f")).toBe(true);
    expect(flagAt({ f: false }, "f")).toBe(false);
    expect(() => flagAt({ f: 1 }, "f")).toThrow("f is neither true nor false");
    expect(hexAt({ h: "0xAB" }, "h")).toBe("0xab");
    expect(() => hexAt({ h: "ab" }, "h")).toThrow("h is not a hex string");
  });

  test("throw without a verifying contract, which would check the signature", () => {
    const data = { domain: {}, types: {}, primaryType: "Permit", message: {} };
    expect(() => verifyingContract(data)).toThrow("verifyingContract is not an address");
  });
});
