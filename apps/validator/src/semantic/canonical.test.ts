import fc from "fast-check";
import { expect, test } from "vitest";
import { canonical, mapTexts, type Json } from "./canonical.ts";

test("canonical does not depend on the order of members", () => {
  expect(canonical({ b: [1, { d: null, c: "x" }], a: true })).toBe('{"a":true,"b":[1,{"c":"x","d":null}]}');
});

test("canonical returns JSON of the same value", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(canonical(value as Json))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test("mapTexts changes strings but not member names", () => {
  expect(mapTexts({ "a b": ["c d", 1, null] }, (text) => text.replaceAll(" ", "_"))).toEqual({
    "a b": ["c_d", 1, null],
  });
});
