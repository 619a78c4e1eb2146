import { describe, expect, test } from "vitest";
import { readInfoString } from "./info-string.ts";

describe("the info string of a block", () => {
  test("a language alone", () => {
    expect(readInfoString("ts")).toEqual({ language: "ts", attributes: {} });
    expect(readInfoString("")).toEqual({ language: "", attributes: {} });
  });

  test("a language and what is to be done", () => {
    expect(readInfoString('sh not-run="takes an hour" given="TOKEN"')).toEqual({
      language: "sh",
      attributes: { "not-run": "takes an hour", given: "TOKEN" },
    });
    expect(readInfoString("json output").attributes).toEqual({ output: "" });
  });

  test.each([
    ["bahs", "not one of our languages"],
    ["SH", "not one of our languages"],
    ["sh not-run", "takes a value"],
    ['sh not-run=" "', "takes a value"],
    ["sh not-run='quotes'", "is not a list"],
    ['sh notrun="typo"', "is not an option"],
    ['sh exit="one"', "not an exit code"],
    ['sh exit="1" exit="2"', "twice"],
    ['json output="x"', "takes no value"],
    ["ts output", "is not an option"],
    ['ts file="../outside.ts"', "not inside"],
    ['ts file="/etc/passwd"', "not inside"],
    ['toml not-run="why"', "is not an option"],
  ])("refuses %s", (text, why) => {
    expect(() => readInfoString(text)).toThrow(why);
  });
});
