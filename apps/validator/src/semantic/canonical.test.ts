import fc from "fast-check";
import { expect, test } from "vitest";
import { canonical, mapTexts, type Json } from "./canonical.ts";

test("does not depend on the order in which members were written", () => {
  expect(canonical({ b: [1, { d: null, c: "x" }], a: true })).toBe('{"a":true,"b":[1,{"c":"x","d":null}]}');
});

test("is JSON, and says the same", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(canonical(value as Json))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test("changes texts and leaves names of members", () => {
  expect(mapTexts({ "a b": ["c d", 1, null] }, (text) => text.replaceAll(" ", "_"))).toEqual({
    "a b": ["c_d", 1, null],
  });
});
