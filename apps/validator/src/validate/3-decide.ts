/** Decides PASS or REJECT from the findings, and which finding is reported first. The weakest finding decides. */
import type { Assessment } from "../assessment.ts";
import type { Severity } from "../node.ts";
import type { Ran } from "./2-run-nodes.ts";
import { byStory } from "./primary.ts";

export type Decision = {
  readonly decision: "PASS" | "REJECT";
  readonly primary: string | null;
  readonly reason: string;
  /** Confidence in the verdict, from 0 to 1. */
  readonly confidence: number;
};

/** Two findings of medium severity count as one of high severity. */
const weights: Readonly<Record<Severity, number>> = { critical: 1, high: 1, medium: 0.5, low: 0.25 };

export const severityOf = ({ node, finding }: Ran): Severity =>
  finding.status === "FAIL" ? (finding.severity ?? node.severity) : node.severity;

export const confidenceOf = ({ finding }: Ran): number => {
  if (finding.status === "SKIP") return finding.kind === "not_applicable" ? 1 : 0;
  return finding.confidence ?? 1;
};

/**
 * A required check that did not run although it applies. A missing sanctions list counts only if the operator requires
 * one. A finding that was not understood or not checked is open for every check.
 */
export function isOpen({ node, finding }: Ran, requireSanctions: boolean): boolean {
  if (finding.status !== "SKIP" || finding.kind === "not_applicable") return false;
  if (finding.kind === "not_understood" || finding.kind === "not_checked") return true;
  return node.required && (finding.kind !== "stale_data" || requireSanctions);
}

type Tally = {
  readonly failed: readonly Ran[];
  readonly open: readonly Ran[];
  /** Of the failed checks. */
  readonly weight: number;
  readonly passed: number;
  readonly skipped: number;
  /** The lowest confidence of a required check. */
  readonly least: number;
  /** Checks that lacked context. */
  readonly untold: number;
};

/** Collects everything a decision needs in one pass over the checks. */
function tally(ran: readonly Ran[], requireSanctions: boolean): Tally {
  const failed: Ran[] = [];
  const open: Ran[] = [];
  let [weight, skipped, least, untold] = [0, 0, 1, 0];
  for (const one of ran) {
    const { finding, node } = one;
    if (finding.status === "SKIP") {
      skipped += 1;
      if (finding.kind === "missing_context") untold += 1;
      if (isOpen(one, requireSanctions)) open.push(one);
      continue;
    }
    if (node.required) least = Math.min(least, confidenceOf(one));
    if (finding.status === "PASS") continue;
    failed.push(one);
    weight += weights[severityOf(one)];
  }
  const passed = ran.length - skipped - failed.length;
  return { failed, open, weight, passed, skipped, least, untold };
}

const overall = ({ least, untold }: Tally): number => Math.round(least * 0.98 ** untold * 1000) / 1000;

/** PASS needs an entailed request, no open check, and no failure that rejects. */
export function decide(
  ran: readonly Ran[],
  assessment: Pick<Assessment, "kind">,
  { requireSanctions }: { readonly requireSanctions: boolean },
): Decision {
  const all = tally(ran, requireSanctions);
  const { failed, open, weight } = all;
  if (weight < 1 && open.length === 0 && assessment.kind === "entailed")
    return { decision: "PASS", primary: null, reason: summarise(all), confidence: overall(all) };
  // Failures that would not reject alone do not hide an open check.
  const [first] = byStory(weight >= 1 || open.length === 0 ? failed : open, severityOf);
  return {
    decision: "REJECT",
    primary: first?.id ?? "technical_invariants.decodability",
    reason: first?.finding.reasoning ?? "We could not read all of the transaction.",
    confidence: first === undefined || first.finding.status === "SKIP" ? 1 : confidenceOf(first),
  };
}

function summarise({ failed, passed, skipped }: Tally): string {
  const weak = failed.length === 0 ? "" : `; ${failed.length} of low weight failed`;
  return `The transaction does what was requested and nothing else: ${passed} checks passed${weak}, ${skipped} did not apply or lacked context.`;
}
