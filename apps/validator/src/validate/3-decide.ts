/** Findings → PASS or REJECT, and the one finding that tells the story. The weakest link decides. */
import type { Reading } from "../facts.ts";
import type { Severity } from "../node.ts";
import type { Ran } from "./2-run-nodes.ts";
import { byStory } from "./primary.ts";

export type Decision = {
  readonly decision: "PASS" | "REJECT";
  readonly primary: string | null;
  readonly reason: string;
  /** Of the whole verdict, 0 to 1. */
  readonly confidence: number;
};

/** Small faults add up: two of medium weight are as bad as one of high. */
const weights: Readonly<Record<Severity, number>> = { critical: 1, high: 1, medium: 0.5, low: 0.25 };

export const severityOf = ({ node, finding }: Ran): Severity =>
  finding.status === "FAIL" ? (finding.severity ?? node.severity) : node.severity;

export const confidenceOf = ({ finding }: Ran): number => {
  if (finding.status === "SKIP") return finding.kind === "not_applicable" ? 1 : 0;
  return finding.confidence ?? 1;
};

/**
 * A check that must pass before value may move and did not run. That it has nothing to look at is fine; that it could not
 * look is not, except for a sanctions list the operator does not insist on.
 */
export function isOpen({ node, finding }: Ran, requireSanctions: boolean): boolean {
  if (!node.required || finding.status !== "SKIP" || finding.kind === "not_applicable") return false;
  return finding.kind !== "stale_data" || requireSanctions;
}

/** What is unread is never vouched for, whatever the checks say. */
const isUnread = (reading: Reading | undefined): boolean =>
  reading?.limit !== null || reading.effects.some(({ act }) => act === "opaque");

function overall(ran: readonly Ran[]): number {
  const required = ran.filter(({ node, finding }) => node.required && finding.status !== "SKIP");
  const least = required.reduce((min, one) => Math.min(min, confidenceOf(one)), 1);
  const untold = ran.filter(({ finding }) => finding.status === "SKIP" && finding.kind === "missing_context");
  return Math.round(least * 0.98 ** untold.length * 1000) / 1000;
}

export function decide(
  ran: readonly Ran[],
  reading: Reading | undefined,
  { requireSanctions }: { readonly requireSanctions: boolean },
): Decision {
  const failed = ran.filter(({ finding }) => finding.status === "FAIL");
  const open = ran.filter((one) => isOpen(one, requireSanctions));
  const weight = failed.reduce((sum, one) => sum + weights[severityOf(one)], 0);
  if (weight < 1 && open.length === 0 && !isUnread(reading))
    return { decision: "PASS", primary: null, reason: summarise(ran), confidence: overall(ran) };
  const [first] = byStory(failed.length > 0 ? failed : open, severityOf);
  return {
    decision: "REJECT",
    primary: first?.id ?? "technical_invariants.decodability",
    reason: first?.finding.reasoning ?? "Part of what would be signed could not be read.",
    confidence: first === undefined || first.finding.status === "SKIP" ? 1 : confidenceOf(first),
  };
}

function summarise(ran: readonly Ran[]): string {
  const count = (status: string): number => ran.filter(({ finding }) => finding.status === status).length;
  const failed = count("FAIL");
  const weak = failed === 0 ? "" : `; ${failed} of small weight did not`;
  return `The transaction does what was asked and nothing else: ${count("PASS")} checks passed${weak}, ${count("SKIP")} had nothing to look at or lacked context.`;
}
