import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { markWords, objectionsOf, rangesInData, stretches } from "./objections.ts";
import { aCheck, anIssue, aReport } from "../../../test/components/report.ts";

const range = (length: number) =>
  fc.record({
    from: fc.integer({ min: -3, max: length + 3 }),
    to: fc.integer({ min: -3, max: length + 3 }),
    by: fc.nat(5),
  });

describe("what speaks against it", () => {
  test("is what the report explains, then what objects and is not explained, each once", () => {
    const explained = anIssue({ node: "a.one" });
    const checks = [
      aCheck({ node: "a.one", state: "failed" }),
      aCheck({ node: "a.two_three", name: "two_three", state: "failed" }),
      aCheck({ node: "a.four", state: "passed" }),
    ];
    expect(objectionsOf({ issues: [explained], checks }).map(({ node, title }) => [node, title])).toEqual([
      ["a.one", explained.title],
      ["a.two_three", "Two three"],
    ]);
  });
});

describe("stretches", () => {
  test("cover all of it in order, and each knows exactly the ranges that it lies in", () => {
    fc.assert(
      fc.property(
        fc
          .nat(40)
          .chain((length) => fc.tuple(fc.constant(length), fc.array(range(length), { maxLength: 6 }))),
        ([length, ranges]) => {
          const parts = stretches(length, ranges);
          let at = 0;
          for (const { from, to, by } of parts) {
            expect(from).toBe(at);
            expect(to).toBeGreaterThan(from);
            for (let place = from; place < to; place += 1)
              expect([...by].sort()).toEqual(
                ranges
                  .filter((one) => one.from <= place && place < one.to)
                  .map((one) => one.by)
                  .sort(),
              );
            at = to;
          }
          expect(at).toBe(length);
        },
      ),
    );
  });
});

describe("the words", () => {
  const span = (from: number, to: number) => anIssue({ words: { from, to, text: "" } });

  test("are marked where a check objects", () => {
    expect(markWords("Move 30,000 ETH", [anIssue(), span(0, 4), span(5, 15)])).toEqual([
      { text: "Move", by: [1] },
      { text: " ", by: [] },
      { text: "30,000 ETH", by: [2] },
    ]);
  });

  test("are never cut inside of a character, and none is lost", () => {
    expect(markWords("a😀b", [span(2, 3)])).toEqual([
      { text: "a", by: [] },
      { text: "😀", by: [0] },
      { text: "b", by: [] },
    ]);
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }),
        fc.array(fc.tuple(fc.nat(20), fc.nat(20))),
        (words, spans) => {
          const pieces = markWords(
            words,
            spans.map(([from, to]) => span(from, to)),
          ).map(({ text }) => text);
          expect(pieces.join("")).toBe(words);
          for (const piece of pieces) expect(piece.isWellFormed()).toBe(true);
        },
      ),
    );
  });
});

test("a place inside of an inner call is found in the whole data, and one that is not known is left out", () => {
  const call = {
    to: null,
    value: "0",
    function: null,
    protocol: null,
    isKnown: true,
    isDelegate: false,
    effects: [],
  };
  const inner = { ...call, call: "proposed_tx/0", data: [356, 424] as const, children: [] };
  const report = aReport({ calls: [{ ...call, call: "proposed_tx", data: [0, 580], children: [inner] }] });
  const at = (where: string) => anIssue({ where: { call: where, field: null, bytes: [4, 36] } });
  expect(rangesInData(report, [at("proposed_tx/9"), at("proposed_tx/0"), anIssue()])).toEqual([
    { from: 360, to: 392, by: 1 },
  ]);
});
