// The expected texts are those that RFC 8785 demands: ECMAScript's form of numbers and strings, members in the order of
// their UTF-16 code units.
import fc from "fast-check";
import { keccak256, toBytes } from "viem/utils";
import { describe, expect, test } from "vitest";
import { hashReport } from "./index.ts";

const double = (bits: string): number => Buffer.from(bits, "hex").readDoubleBE();

describe("hashReport", () => {
  test.each([
    ["0000000000000000", "0"],
    ["8000000000000000", "0"],
    ["0000000000000001", "5e-324"],
    ["8000000000000001", "-5e-324"],
    ["7fefffffffffffff", "1.7976931348623157e+308"],
    ["ffefffffffffffff", "-1.7976931348623157e+308"],
    ["4340000000000000", "9007199254740992"],
    ["c340000000000000", "-9007199254740992"],
    ["4430000000000000", "295147905179352830000"],
    ["44b52d02c7e14af5", "9.999999999999997e+22"],
    ["44b52d02c7e14af6", "1e+23"],
    ["44b52d02c7e14af7", "1.0000000000000001e+23"],
    ["444b1ae4d6e2ef4e", "999999999999999700000"],
    ["444b1ae4d6e2ef4f", "999999999999999900000"],
    ["444b1ae4d6e2ef50", "1e+21"],
    ["3eb0c6f7a0b5ed8c", "9.999999999999997e-7"],
    ["3eb0c6f7a0b5ed8d", "0.000001"],
    ["41b3de4355555553", "333333333.3333332"],
    ["41b3de4355555554", "333333333.33333325"],
    ["41b3de4355555555", "333333333.3333333"],
    ["41b3de4355555556", "333333333.3333334"],
    ["41b3de4355555557", "333333333.33333343"],
    ["becbf647612f3696", "-0.0000033333333333333333"],
    ["43143ff3c1cb0959", "1424953923781206.2"],
  ])("writes the double %s as %s", (bits, text) => {
    expect(hashReport(double(bits))).toBe(keccak256(toBytes(text)));
  });

  test("orders members by UTF-16 code units, not by code points", () => {
    const report = { "\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\u{1f600}": 5, "\u0080": 6, "\u00f6": 7 };
    const text = '{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\u{1f600}":5,"\ufb33":3}';
    expect(hashReport(report)).toBe(keccak256(toBytes(text)));
  });

  test("escapes what must be escaped, and nothing else", () => {
    const text = '"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/\u2028"';
    expect(hashReport('\u20ac$\u000f\nA\'B"\\\\"/\u2028')).toBe(keccak256(toBytes(text)));
  });

  test("writes literals, arrays and nested objects without space", () => {
    const report = { b: [56, { d: true, "10": null, "1": [] }], a: {}, "": "empty" };
    const text = '{"":"empty","a":{},"b":[56,{"1":[],"10":null,"d":true}]}';
    expect(hashReport(report)).toBe(keccak256(toBytes(text)));
  });

  test("survives a journey through JSON, whatever the order of members", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (report) => {
        const travelled: unknown = JSON.parse(JSON.stringify(reversed(report)));
        expect(hashReport(travelled)).toBe(hashReport(report));
      }),
    );
  });

  test("takes nesting that would exhaust a recursive writer", () => {
    const deep: unknown = JSON.parse("[".repeat(50_000) + "]".repeat(50_000));
    expect(hashReport(deep)).toMatch(/^0x[0-9a-f]{64}$/);
  });

  test("refuses what JSON has no form for", () => {
    for (const report of [undefined, () => 1, NaN, { a: Infinity }, { a: 1n }, "\ud800", { "\udc00": 1 }]) {
      expect(() => hashReport(report)).toThrow();
    }
  });
});

function reversed(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(reversed);
  if (typeof json !== "object" || json === null) return json;
  return Object.fromEntries(
    Object.entries(json)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}
