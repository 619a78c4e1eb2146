import type { Report } from "../src/adapters/validator/index.ts";

/** The parts of the validator's answer that are read. */
export const aReport = (changes: Partial<Report> = {}): Report => ({
  decision: "PASS",
  reason: "The transaction does what was asked.",
  primary_failure_node: null,
  assessment: { kind: "entailed" },
  results: { "intent_alignment.action_match": { status: "PASS", confidence: 1 } },
  explanation: { key_issues: [], confidence_summary: { overall: 0.9 } },
  ...changes,
});
