import { expect, test } from "vitest";
import { decide } from "./decide.ts";
import { aReport } from "../../test/verify.ts";

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
test.each(["contradicted", "not_understood", "not_checked"] as const)(
  "a PASS whose request is %s is UNDECIDED",
  (kind) => {
    expect(decide({ ...withOverall(1), assessment: { kind } }).decision).toBe("UNDECIDED");
  },
);
test("REJECT of a contradicted request is REJECTED, however confident", () => {
  const rejected = {
    decision: "REJECT" as const,
    assessment: { kind: "contradicted" as const },
    primary_failure_node: "a",
    results: { a: failed, b: skipped },
  };
  expect(decide({ ...withOverall(0.1), ...rejected })).toEqual({ decision: "REJECTED", confidence: 0.1 });
  expect(decide(aReport({ ...rejected, primary_failure_node: "b" })).decision).toBe("REJECTED");
});
test.each(["not_understood", "not_checked", "entailed"] as const)(
  "REJECT of a request that is %s is UNDECIDED where a check could not run, and REJECTED where one failed",
  (kind) => {
    const open = { decision: "REJECT" as const, assessment: { kind }, results: { a: skipped, b: failed } };
    expect(decide(aReport({ ...open, primary_failure_node: "a" })).decision).toBe("UNDECIDED");
    expect(decide(aReport({ ...open, primary_failure_node: "b" })).decision).toBe("REJECTED");
    // The named check is not among the results: it stays a rejection.
    expect(decide(aReport({ ...open, primary_failure_node: "c" })).decision).toBe("REJECTED");
    expect(decide(aReport({ ...open, primary_failure_node: null })).decision).toBe("REJECTED");
  },
);
test("without an explanation the weakest check that ran counts; if none ran, the confidence is 0", () => {
  const results = {
    ...{ a: { status: "PASS" as const, confidence: 0.4 }, b: skipped },
    c: { status: "PASS" as const, confidence: 0.6 },
  };
  expect(decide(aReport({ explanation: null, results }))).toEqual({ decision: "UNDECIDED", confidence: 0.4 });
  expect(decide(aReport({ explanation: null, results: {} }))).toEqual({
    decision: "UNDECIDED",
    confidence: 0,
  });
});
test("clamps a confidence that is out of bounds", () => {
  expect(decide(withOverall(7)).confidence).toBe(1);
  expect(decide(withOverall(-1))).toEqual({ decision: "UNDECIDED", confidence: 0 });
});
