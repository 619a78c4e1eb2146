import { describe, expect, test } from "vitest";
import { readProse } from "./prose.ts";
import { findHits, rules } from "./rules.ts";

const kindsOf = (path: string, source: string) =>
  readProse(path, source).map(({ kind, text }) => [kind, text.replaceAll(/\s+/g, " ").trim()]);

const namesOf = (text: string, sentences = true) =>
  findHits(text, { sentences }).map(({ rule }) => rule.name);

describe("readProse", () => {
  test("joins line comments and drops their markers", () => {
    expect(kindsOf("a.ts", "// One sentence\n// on two lines.\n\n// Another.\n")).toEqual([
      ["comment", "One sentence on two lines."],
      ["comment", "Another."],
    ]);
  });

  test("reads block comments, also with a star on each line", () => {
    expect(kindsOf("a.ts", "/**\n * Returns one,\n * or none.\n */\nconst a = 1;")).toEqual([
      ["comment", "Returns one, or none."],
    ]);
  });

  test("does not take an address in a string, a template or a pattern for a comment", () => {
    const source = 'const a = ["http://a b", `and x ${1 / 2} // y z`, /a\\/\\/ b/];';
    expect(kindsOf("a.ts", source)).toEqual([
      ["string", "http://a b"],
      ["string", "and x"],
      ["string", "// y z"],
    ]);
  });

  test("distinguishes test names from other strings", () => {
    const source = 'describe("a b", () => { test.each`x`("c d", () => f("e f")); it.skip("g h"); });';
    expect(kindsOf("a.test.ts", source)).toEqual([
      ["test name", "a b"],
      ["test name", "c d"],
      ["string", "e f"],
      ["test name", "g h"],
    ]);
  });

  test("reads the text of JSX", () => {
    expect(kindsOf("a.tsx", "const a = <p>Send it now</p>;")).toEqual([["string", "Send it now"]]);
  });

  test("skips strings without a space and code in backticks", () => {
    expect(kindsOf("a.ts", 'const a = "nobody"; // Runs as `nobody here`.')).toEqual([
      ["comment", "Runs as ."],
    ]);
  });

  test("skips code fences, code spans and link targets in Markdown", () => {
    const source = "# A title\n\n```sh\nmend it\n```\n\nRead [this](mend.md) and `mend`.\n";
    expect(kindsOf("a.md", source)).toEqual([
      ["document", "# A title"],
      ["document", "Read [this and ."],
    ]);
  });

  test.each([
    [
      "a.sol",
      '// One two\nstring a = "x // y";',
      [
        ["string", "x // y"],
        ["comment", "One two"],
      ],
    ],
    [
      "a.sql",
      "-- One two\nselect '-- no comment';",
      [
        ["string", "-- no comment"],
        ["comment", "One two"],
      ],
    ],
    [
      "a.py",
      '# One two\ndef f():\n    """Three four."""\n    return "a # b"',
      [
        ["string", '""Three four.""'],
        ["string", "a # b"],
        ["comment", "One two"],
      ],
    ],
    [
      "run",
      '#!/bin/sh\n\n# One two\necho "a # b"',
      [
        ["string", "a # b"],
        ["comment", "/bin/sh"],
        ["comment", "One two"],
      ],
    ],
  ])("reads comments and strings of %s", (path, source, prose) => {
    expect(kindsOf(path, source)).toEqual(prose);
  });

  test("keeps offsets, so that a hit names its line", () => {
    const source = "/**\n * One\n * whoever\n */";
    const [prose] = readProse("a.ts", source);
    const [hit] = findHits(prose?.text ?? "", { sentences: true });
    expect(source.slice((prose?.start ?? 0) + (hit?.index ?? 0))).toMatch(/^whoever/);
  });
});

describe("findHits", () => {
  test.each([
    ["It is read anew.", "anew"],
    ["A row beside\nthe others", "beside"],
    ["whoever asks", "whoever"],
    ["Nobody asks", "nobody"],
    ["A verdict that is none", "is none"],
    ["See what becomes of it", "becomes of"],
    ["Mended it", "mend"],
    ["It ends by\n itself", "by itself"],
    ["A wallet that goes round it", "go round"],
    ["Both in turns", "in turns"],
    ["Counts the how manieth it is", "manieth"],
    ["Another throw of the dice", "throw"],
    ["While the motor is down", "the motor"],
    ["The arbiter's key", "arbiter"],
    ["After it was judged", "judged"],
    ["The address stands last", "stands"],
    ["It tells how often", "tells"],
    ["Unless said otherwise", "said"],
    ["Reads the words", "the words"],
    ["What is late is dropped.", "What …"],
    ["Fine. What is late is dropped.", "What …"],
  ])("finds %j", (text, name) => {
    expect(namesOf(text)).toEqual([name]);
  });

  test.each([
    "What is a verdict?",
    "Reports what happened.",
    "It stands between agent and chain, and 0 stands for native.",
    "The supervisor tells the guard to leave.",
    "None of them is none of our business.",
    "Returns null if there is none.",
    "Besides, it ends on its own.",
    "an amendment",
  ])("accepts %j", (text) => {
    expect(namesOf(text)).toEqual([]);
  });

  test("lets a plain string begin with what, because it may be a label", () => {
    expect(namesOf("What we checked", false)).toEqual([]);
  });

  test("names a replacement for every rule", () => {
    expect(rules.filter(({ instead }) => instead === "")).toEqual([]);
    expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length);
  });
});
