import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { matchesJson, matchesText } from "./compare.ts";

describe("JSON", () => {
  test("anything matches itself", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const printed: unknown = JSON.parse(JSON.stringify(value));
        expect(matchesJson(printed, printed)).toBe(true);
      }),
    );
  });

  test.each([
    [{ a: "…" }, { a: 12 }, true],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [{ a: 1, "…": "more" }, { a: 1, b: 2 }, true],
    [{ a: 1, "…": "more" }, { b: 2 }, false],
    [{ a: 1 }, { a: "1" }, false],
    [["a", "…"], ["a", "b", "c"], true],
    [["a", "…"], [], false],
    [["a"], ["a", "b"], false],
    ["0x12…", "0x1234", true],
    ["0x12…", "0x34", false],
    ["a.c…", "abcd", false],
    [{ toString: "…" }, {}, false],
    [{}, [], false],
    [null, {}, false],
  ])("%j shown, %j printed: %s", (shown, printed, isMatch) => {
    expect(matchesJson(shown, printed)).toBe(isMatch);
  });
});

describe("text", () => {
  test.each([
    ["one\ntwo", "one\ntwo\n", true],
    ["one\ntwo", "one  \ntwo", true],
    ["one", "one\ntwo", false],
    ["one\n…", "one\ntwo\nthree", true],
    ["one\n…\nthree", "one\nthree", true],
    ["one\n…\nfour", "one\ntwo\nthree", false],
    ["in … s", "in 12.5 s", true],
    ["a+b", "aab", false],
  ])("%j shown, %j printed: %s", (shown, printed, isMatch) => {
    expect(matchesText(shown, printed)).toBe(isMatch);
  });
});
