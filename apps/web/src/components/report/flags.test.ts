import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { flagsOf, markWords, rangesInData, stretches } from "./flags.ts";
import { aCheck, anIssue, aReport } from "../../../test/components/report.ts";

const range = (length: number) =>
  fc.record({
    from: fc.integer({ min: -3, max: length + 3 }),
    to: fc.integer({ min: -3, max: length + 3 }),
    by: fc.nat(5),
  });

describe("flagsOf", () => {
  test("lists explained issues, then other failed checks, each once", () => {
    const explained = anIssue({ node: "a.one" });
    const checks = [
      aCheck({ node: "a.one", state: "failed" }),
      aCheck({ node: "a.two_three", name: "two_three", state: "failed" }),
      aCheck({ node: "a.four", state: "passed" }),
    ];
    expect(flagsOf({ issues: [explained], checks }).map(({ node, title }) => [node, title])).toEqual([
      ["a.one", explained.title],
      ["a.two_three", "Two three"],
    ]);
  });
});

describe("stretches", () => {
  test("cover the whole length in order, each with the ranges that contain it", () => {
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

describe("markWords", () => {
  const span = (from: number, to: number) => anIssue({ words: { from, to, text: "" } });

  test("marks the flagged parts of a request", () => {
    expect(markWords("Move 30,000 ETH", [anIssue(), span(0, 4), span(5, 15)])).toEqual([
      { text: "Move", by: [1] },
      { text: " ", by: [] },
      { text: "30,000 ETH", by: [2] },
    ]);
  });

  test("never splits a character or loses text", () => {
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

test("maps a position in an inner call to the whole calldata, and drops unknown calls", () => {
  const call = {
    to: null,
    value: "0",
    function: null,
    protocol: null,
    isKnown: true,
    isDelegate: false,
    named: null,
    effects: [],
  };
  const inner = { ...call, call: "proposed_tx/0", data: [356, 424] as const, children: [] };
  const report = aReport({ calls: [{ ...call, call: "proposed_tx", data: [0, 580], children: [inner] }] });
  const at = (where: string) => anIssue({ where: { call: where, field: null, bytes: [4, 36] } });
  expect(rangesInData(report, [at("proposed_tx/9"), at("proposed_tx/0"), anIssue()])).toEqual([
    { from: 360, to: 392, by: 1 },
  ]);
});
