import type { Decision } from "@countersign/wire";
import type { Report } from "../adapters/validator/index.ts";

export type Weighed = { readonly decision: Decision; readonly confidence: number };

/** Below this a PASS is no more than a guess, and a person decides. */
const leastConfidence = 0.5;

/** Of the whole verdict, from 0 to 1. Without an explanation it is that of the weakest check that ran. */
function confidenceOf({ explanation, results }: Report): number {
  const ran = Object.values(results).filter(({ status }) => status !== "SKIP");
  const weakest = ran.length === 0 ? 0 : Math.min(...ran.map(({ confidence }) => confidence));
  const overall = explanation?.confidence_summary.overall ?? weakest;
  return Math.min(1, Math.max(0, overall));
}

/** The validator refuses on account of a check that had to run and could not: that is not knowing, not an objection. */
const couldNotLook = ({ primary_failure_node: primary, results }: Report): boolean =>
  primary !== null &&
  results[primary]?.status === "SKIP" &&
  Object.values(results).every(({ status }) => status !== "FAIL");

/** The validator's answer as a verdict. */
export function decide(report: Report): Weighed {
  const confidence = confidenceOf(report);
  if (report.decision === "REJECT")
    return { decision: couldNotLook(report) ? "UNDECIDED" : "REJECTED", confidence };
  return { decision: confidence < leastConfidence ? "UNDECIDED" : "APPROVED", confidence };
}
