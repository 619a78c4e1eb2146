import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { marked } from "../../../test/marked.ts";
import { parseProposal, quoteReading } from "./parse-proposal.ts";
import { limits } from "./reading.ts";

const { text, reading } = marked(
  "pay",
  "[story It rained.]\n[act0 Send]  [amount0 5 ETH] [frame0 to] [recipient0 {A}] 🙂".replace(
    "🙂",
    "[formula 🙂]",
  ),
);
const answer = quoteReading(reading, text);
const parse = (proposal: unknown): unknown => parseProposal(JSON.stringify(proposal), text);

test("an answer that quotes the text is its reading", () => {
  expect(parse(answer)).toEqual(reading);
});

test("blanks may differ, other characters may not", () => {
  const [first, ...rest] = answer.pieces;
  const story = (said: string) => ({ ...answer, pieces: [{ ...first, text: said }, ...rest] });
  expect(parse(story(" It\n rained. "))).toEqual(reading);
  expect(parse(story("It rained"))).toBeNull();
  expect(parse(story("it rained."))).toBeNull();
  expect(parse(story("It rained. It rained."))).toBeNull();
});

describe("no reading", () => {
  test.each([
    ["a text that asks for nothing", { version: 1, steps: [], pieces: [] }],
    ["another version", { ...answer, version: 2 }],
    ["a value", { ...answer, amount: "5" }],
    ["a value in a piece", { ...answer, pieces: answer.pieces.map((piece) => ({ ...piece, value: "5" })) }],
    ["an unknown act", { ...answer, steps: [{ act: "sign" }] }],
    ["an unknown part", { ...answer, pieces: answer.pieces.map((piece) => ({ ...piece, as: "noise" })) }],
    [
      "too many steps",
      { ...answer, steps: Array.from({ length: limits.steps + 1 }, () => ({ act: "pay" })) },
    ],
    ["a slot without a step", { ...answer, pieces: answer.pieces.map(({ step: _, ...piece }) => piece) }],
    ["a story with a step", { ...answer, pieces: answer.pieces.map((piece) => ({ ...piece, step: 0 })) }],
    ["a part left out", { ...answer, pieces: answer.pieces.slice(1) }],
    ["another order", { ...answer, pieces: answer.pieces.toReversed() }],
    ["a list", [answer]],
  ])("%s", (_, proposal) => {
    expect(parse(proposal)).toBeNull();
  });

  test("for an answer that is not JSON", () => {
    expect(parseProposal("Sure! Here is the reading.", text)).toBeNull();
  });

  test("for a text that is too long", () => {
    const long = "a".repeat(limits.text + 1);
    const pieces = [{ text: long.slice(1), as: "frame", step: 0 }];
    expect(parseProposal(JSON.stringify({ version: 1, steps: [{ act: "pay" }], pieces }), long)).toBeNull();
  });
});

test("pieces of any text that are quoted in order give back the same places", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 }), { maxLength: 20 }),
      (quotes) => {
        const whole = quotes.join("");
        const pieces = quotes
          .filter((quote) => quote.trim() !== "")
          .map((quote) => ({ text: quote, as: "frame", step: 0 }));
        const parsed = parseProposal(JSON.stringify({ version: 1, steps: [{ act: "pay" }], pieces }), whole);
        const covered = parsed?.pieces.map(({ start, end }) => whole.slice(start, end).replace(/\s+/gu, ""));
        expect(covered).toEqual(pieces.map((piece) => piece.text.replace(/\s+/gu, "")));
      },
    ),
  );
});
