import fc from "fast-check";
import { expect, test } from "vitest";
import { fromCloneable, toCloneable } from "./cloneable.ts";
import { isWrittenNumber, parseLossless, writtenAs } from "./lossless-json.ts";

const parse = (text: string): unknown => {
  const parsed = parseLossless(text);
  if ("fault" in parsed) throw new Error(parsed.fault);
  return parsed.value;
};
const travel = (value: unknown): unknown => fromCloneable(structuredClone(toCloneable(value).value));

test("keeps numbers as written, at any depth", () => {
  const value = travel(parse('{"a":[1e18,{"b":1.0}],"c":100000000000000000000,"d":"1e18"}')) as {
    readonly a: readonly [unknown, { readonly b: unknown }];
    readonly c: unknown;
    readonly d: unknown;
  };
  const [first, { b }] = value.a;
  expect([first, b].map((number) => isWrittenNumber(number) && writtenAs(number))).toEqual(["1e18", "1.0"]);
  expect([value.c, value.d]).toEqual([10n ** 20n, "1e18"]);
});

test("changes nothing else", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const parsed = parseLossless(text);
      if ("fault" in parsed) return;
      expect(travel(parsed.value)).toEqual(parsed.value);
    }),
  );
});

test("counts characters and members as the size", () => {
  expect(toCloneable({ a: "123", b: [1, null] }).size).toBe(6);
  expect(toCloneable({ a: "1".repeat(100_000) }).size).toBe(100_001);
});
