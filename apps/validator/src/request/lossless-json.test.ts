import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isWrittenNumber, parseLossless, writtenAs } from "./lossless-json.ts";

const valueOf = (text: string): unknown => {
  const parsed = parseLossless(text);
  return "value" in parsed ? parsed.value : parsed;
};

describe("parseLossless", () => {
  test("keeps every digit of an integer that a double would round", () => {
    expect(valueOf("9007199254740993")).toBe(9007199254740993n);
    expect(valueOf("-9007199254740993")).toBe(-9007199254740993n);
    expect(
      valueOf('{"value":115792089237316195423570985008687907853269984665640564039457584007913129639935}'),
    ).toEqual({ value: 2n ** 256n - 1n });
  });

  test("returns small integers and fractions as numbers", () => {
    expect(valueOf("[0, -0, 21000, 1.5]")).toEqual([0, 0, 21000, 1.5]);
  });

  test.each(["1e18", "1.0", "1E3", "1e999", "1.0000000000000000000001", "1e-999"])(
    "keeps %s as it was written, because it would look like an integer",
    (text) => {
      const value = valueOf(text);
      expect(isWrittenNumber(value) && writtenAs(value)).toBe(text);
    },
  );

  test("rejects a repeated key, however it is escaped", () => {
    expect(parseLossless('{"to":1,"to":2}')).toEqual({ fault: 'the key "to" occurs twice in one object' });
    expect(parseLossless('{"to":1,"\\u0074o":2}')).toEqual({
      fault: 'the key "to" occurs twice in one object',
    });
    expect(valueOf('{"a":{"to":1},"b":{"to":2},"c":["to","to"],"d":"to"}')).toBeDefined();
    expect(valueOf('{"a\\"":1,"a":"x\\\\","b":{"c":","}}')).toEqual({ 'a"': 1, a: "x\\", b: { c: "," } });
  });

  test("rejects text nested deeper than 64 levels", () => {
    expect(parseLossless("[".repeat(64) + "]".repeat(64))).toHaveProperty("value");
    expect(parseLossless("[".repeat(65) + "]".repeat(65))).toEqual({ fault: "nested deeper than 64 levels" });
    expect(parseLossless("[".repeat(4_000_000))).toEqual({ fault: "nested deeper than 64 levels" });
  });

  test.each(["", "{", "nul", "01", '{"a":}', '"', '{"a', '{"a\\', '{"\\x":1}', "[1,]", "'a'"])(
    "rejects %j",
    (text) => {
      expect(parseLossless(text)).toEqual({ fault: "not valid JSON" });
    },
  );

  test("drops a member that would change the prototype", () => {
    expect(valueOf('{"__proto__":{"to":"0x"},"a":1}')).toEqual({ a: 1 });
  });

  test("does not convert a million digits to a bigint, because that takes quadratic time", () => {
    expect(isWrittenNumber(valueOf("9".repeat(1_000_000)))).toBe(true);
  });

  test("never throws, and agrees with JSON.parse on values without numbers", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        parseLossless(text);
      }),
    );
    const leaf = fc.oneof(fc.string({ unit: "binary" }), fc.boolean(), fc.constant(null));
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: "small" },
        leaf,
        fc.array(tie("tree")),
        fc.dictionary(
          fc.string().filter((key) => key !== "__proto__"),
          tie("tree"),
        ),
      ),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        const text = JSON.stringify(value);
        expect(valueOf(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  test("reads back every integer up to 2^256", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 256n), max: 2n ** 256n }), (integer) => {
        expect(BigInt(valueOf(String(integer)) as number | bigint)).toBe(integer);
      }),
    );
  });
});
