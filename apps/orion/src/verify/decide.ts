import type { Decision } from "@countersign/wire";
import type { Report } from "../adapters/validator/index.ts";

export type Weighed = { readonly decision: Decision; readonly confidence: number };

/** Below this a PASS is little more than a guess, and the owner decides. */
const leastConfidence = 0.5;

/** Confidence of the whole verdict, from 0 to 1. Without an explanation, that of the weakest check that ran. */
function confidenceOf({ explanation, results }: Report): number {
  const ran = Object.values(results).filter(({ status }) => status !== "SKIP");
  const weakest = ran.length === 0 ? 0 : Math.min(...ran.map(({ confidence }) => confidence));
  const overall = explanation?.confidence_summary.overall ?? weakest;
  return Math.min(1, Math.max(0, overall));
}

/**
 * Whether the validator rejects because it lacks understanding or evidence, and not because something is
 * wrong: then the owner decides. A failed check stays a rejection, whatever else was not understood.
 */
function isOpen({ assessment, primary_failure_node: primary, results }: Report): boolean {
  if (assessment.kind === "contradicted") return false;
  return primary !== null && results[primary]?.status === "SKIP";
}

/** Turns the validator's answer into a verdict. Only an entailed request can be approved. */
export function decide(report: Report): Weighed {
  const confidence = confidenceOf(report);
  if (report.decision === "REJECT")
    return { decision: isOpen(report) ? "UNDECIDED" : "REJECTED", confidence };
  const isSure = report.assessment.kind === "entailed" && confidence >= leastConfidence;
  return { decision: isSure ? "APPROVED" : "UNDECIDED", confidence };
}
