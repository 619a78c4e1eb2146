// Report fixtures. A test overrides only what it is about.
import { readReport, type Check, type Issue, type ReadReport } from "@countersign/sdk/report";

export const anIssue = (more: Partial<Issue> = {}): Issue => ({
  node: "intent_alignment.amount_match",
  family: "intent_alignment",
  title: "Amount differs",
  severity: "critical",
  reasoning: "Asked for 1 ETH. In the transaction: 10 ETH.",
  expected: "1 ETH",
  actual: "10 ETH",
  fix: null,
  isOpen: false,
  where: null,
  words: null,
  ...more,
});

export const aCheck = (more: Partial<Check> = {}): Check => ({
  node: "intent_alignment.amount_match",
  family: "intent_alignment",
  name: "amount_match",
  state: "passed",
  severity: "critical",
  confidence: 1,
  reasoning: "The amount is the one that was asked for.",
  fix: null,
  where: null,
  words: null,
  ...more,
});

export function aReport(more: Partial<ReadReport> = {}): ReadReport {
  const read = readReport({ decision: "PASS", results: {}, context: {} });
  if (read === undefined) throw new Error("That is no report.");
  return { ...read, ...more };
}

/** A rejection with these issues, in report order. */
export function aRejection(issues: readonly Issue[], more: Partial<ReadReport> = {}): ReadReport {
  const results = Object.fromEntries(
    issues.map(({ node, isOpen }) => [node, { status: isOpen ? "SKIP" : "FAIL" }]),
  );
  const read = readReport({ decision: "REJECT", results, context: {}, explanation: { key_issues: issues } });
  if (read === undefined) throw new Error("That is no report.");
  return { ...read, issues, ...more };
}

export const nothingNet: ReadReport["net"] = {
  leaves: [],
  arrives: [],
  others: [],
  authority: [],
  control: [],
};
