import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findRepeatedMember } from "./find-repeated-member.ts";

describe("a repeated member", () => {
  test.each([
    ['{"a":1,"a":1}', "a"],
    ['{"a":1,"b":{"c":[{"d":1,"d":2}]}}', "d"],
    ['[{"a":1},{"b":2,"b":3}]', "b"],
    ['{"a":{"a":1},"b":[1,2],"a":2}', "a"],
    [String.raw`{"to":1,"\u0074o":2}`, "to"],
    [String.raw`{"q\"":1, "q\u0022":2}`, 'q"'],
    ['{"":1,"":2}', ""],
    ['{ "a" : "b" , "b" : "a" , "b" : 1 }', "b"],
  ])("is found in %s", (text, name) => {
    expect(findRepeatedMember(text)).toBe(name);
  });

  test.each([
    '{"a":1,"b":1}',
    '{"a":{"a":{"a":1}}}',
    '[{"a":1},{"a":1}]',
    '{"a":"a","b":"a,\\"a\\":1"}',
    '{"a":["a","a","a"],"A":1}',
    '{"to":1,"to ":2}',
    "[[],{},[{}]]",
    '"a"',
    "1",
  ])("is not in %s", (text) => {
    expect(findRepeatedMember(text)).toBeUndefined();
  });

  test("is in no text that was written from a value, and in each that has a member added once more", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), (value) => {
        for (const space of [0, 2]) {
          const text = JSON.stringify(value, null, space);
          expect(findRepeatedMember(text)).toBeUndefined();
          const [name = ""] = Object.keys(JSON.parse(text) as object);
          expect(findRepeatedMember(`${text.slice(0, -1)},${JSON.stringify(name)}:0}`)).toBe(name);
        }
      }),
    );
  });

  test("is found behind any depth of nesting", () => {
    const depth = 100_000;
    expect(findRepeatedMember(`${"[".repeat(depth)}{"a":1,"a":2}${"]".repeat(depth)}`)).toBe("a");
  });
});
