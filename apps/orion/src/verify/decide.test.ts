import { expect, test } from "vitest";
import { decide } from "./decide.ts";
import { aReport } from "./testing.ts";

const withOverall = (overall: number | undefined) =>
  aReport({ explanation: { key_issues: [], confidence_summary: { overall } } });
const failed = { status: "FAIL" as const, confidence: 1 };
const skipped = { status: "SKIP" as const, confidence: 0 };

test("PASS is APPROVED, with the overall confidence", () => {
  expect(decide(withOverall(0.5))).toEqual({ decision: "APPROVED", confidence: 0.5 });
});
test("PASS with too little confidence is UNDECIDED", () => {
  expect(decide(withOverall(0.499))).toEqual({ decision: "UNDECIDED", confidence: 0.499 });
});
test("REJECT is REJECTED, however confident", () => {
  const rejected = {
    decision: "REJECT" as const,
    primary_failure_node: "a",
    results: { a: failed, b: skipped },
  };
  expect(decide({ ...withOverall(0.1), ...rejected })).toEqual({ decision: "REJECTED", confidence: 0.1 });
  // The check it names is not among the results: nobody knows why, and it stays a rejection.
  expect(decide(aReport({ ...rejected, primary_failure_node: "c" })).decision).toBe("REJECTED");
  expect(decide(aReport({ ...rejected, primary_failure_node: null })).decision).toBe("REJECTED");
});
test("REJECT because a required check could not run is UNDECIDED, unless any check objects", () => {
  const open = { decision: "REJECT" as const, primary_failure_node: "a", results: { a: skipped } };
  expect(decide(aReport(open)).decision).toBe("UNDECIDED");
  expect(decide(aReport({ ...open, results: { a: skipped, b: failed } })).decision).toBe("REJECTED");
});
test("without an explanation the weakest check that ran counts, and none that ran is no confidence", () => {
  const results = { a: { status: "PASS" as const, confidence: 0.4 }, b: skipped };
  expect(decide(aReport({ explanation: null, results }))).toEqual({ decision: "UNDECIDED", confidence: 0.4 });
  expect(decide(aReport({ explanation: null, results: {} }))).toEqual({
    decision: "UNDECIDED",
    confidence: 0,
  });
});
test("a confidence out of bounds is brought back into them", () => {
  expect(decide(withOverall(7)).confidence).toBe(1);
  expect(decide(withOverall(-1))).toEqual({ decision: "UNDECIDED", confidence: 0 });
});
