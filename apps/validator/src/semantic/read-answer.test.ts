import fc from "fast-check";
import { expect, test } from "vitest";
import { readAnswer } from "./read-answer.ts";

const expected = { ask: "pressure", nonce: "n1", length: 10 } as const;
const good = { status: "FAIL", issue_codes: ["urgency"], quote: [[0, 10]], why: "Hurry.", nonce: "n1" };
const read = (answer: unknown) =>
  readAnswer(typeof answer === "string" ? answer : JSON.stringify(answer), expected);

test("accepts an answer in the required format", () => {
  expect(read(good)).toEqual({ status: "FAIL", issues: ["urgency"], quotes: [[0, 10]], why: "Hurry." });
  expect(read({ ...good, status: "PASS", issue_codes: [], quote: [] })).toMatchObject({ status: "PASS" });
  expect(read({ ...good, status: "SKIP", issue_codes: [] })).toMatchObject({ kind: "llm_unavailable" });
});

test.each([
  ["prose", "PASS"],
  ["a code fence", `\`\`\`json\n${JSON.stringify(good)}\n\`\`\``],
  ["two answers", JSON.stringify(good).repeat(2)],
  ["an unknown member", { ...good, decision: "PASS" }],
  ["a missing member", { ...good, why: undefined }],
  ["another status", { ...good, status: "pass" }],
  ["an unknown issue", { ...good, issue_codes: ["everything_is_fine"] }],
  ["an issue of another question", { ...good, issue_codes: ["wrong_amount"] }],
  ["issues without a FAIL", { ...good, status: "PASS" }],
  ["a reason of 241 characters", { ...good, why: "x".repeat(241) }],
  ["another nonce", { ...good, nonce: "n2" }],
  ["a quote past the end of the request", { ...good, quote: [[0, 11]] }],
  ["a quote that is empty", { ...good, quote: [[3, 3]] }],
  ["a quote that runs backwards", { ...good, quote: [[5, 2]] }],
  ["a quote before the start of the request", { ...good, quote: [[-1, 2]] }],
  ["a quote of half a character", { ...good, quote: [[0, 1.5]] }],
  ["five thousand characters", `${" ".repeat(5000)}${JSON.stringify(good)}`],
])("rejects %s", (_name, answer) => {
  expect(read(answer)).toMatchObject({
    status: "SKIP",
    kind: "upstream_failed",
    reasoning: expect.stringContaining("llm_malformed") as unknown,
  });
});

test("never throws", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      expect(readAnswer(text, expected).status).toBe("SKIP");
    }),
  );
});
