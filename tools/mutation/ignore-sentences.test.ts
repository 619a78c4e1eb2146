import { expect, test } from "vitest";
import { sentenceIgnorer } from "./ignore-sentences.ts";

const isIgnored = (node: Parameters<typeof sentenceIgnorer.shouldIgnore>[0]["node"]): boolean =>
  sentenceIgnorer.shouldIgnore({ node }) !== undefined;

test("a sentence is not mutated", () => {
  expect(isIgnored({ type: "StringLiteral", value: "Not hexadecimal bytes." })).toBe(true);
  expect(
    isIgnored({
      type: "TemplateLiteral",
      quasis: [{ value: { raw: "Chain " } }, { value: { raw: " is away." } }],
    }),
  ).toBe(true);
});

test("a value that code compares is mutated", () => {
  expect(isIgnored({ type: "StringLiteral", value: "APPROVED" })).toBe(false);
  expect(isIgnored({ type: "StringLiteral", value: " " })).toBe(false);
  expect(
    isIgnored({ type: "TemplateLiteral", quasis: [{ value: { raw: "records-" } }, { value: { raw: "" } }] }),
  ).toBe(false);
  expect(isIgnored({ type: "NumericLiteral", value: 10 })).toBe(false);
});
