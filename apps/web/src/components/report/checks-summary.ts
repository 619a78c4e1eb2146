// One line for all checks, with the important ones among those that could not run.
import type { ReadReport } from "@countersign/sdk/report";
import { flagsOf } from "./flags.ts";

/** Checks whose absence an owner should know of before deciding. */
const important: Readonly<Record<string, string>> = {
  "technical_invariants.simulation_result": "simulation",
  "technical_invariants.funds_sufficient": "balance",
  "legal_compliance.sanctioned_address": "sanctions",
  "adversarial_detection.scam_listed": "scam lists",
  "adversarial_detection.address_poisoning": "look-alike addresses",
  "adversarial_detection.token_impersonation": "genuine token",
};

/** Names the important checks among those that could not run, most important first. */
function skippedNames({ checks }: Pick<ReadReport, "checks">): readonly string[] {
  const skipped = checks.filter(({ state }) => state === "unchecked").map(({ node }) => node);
  return Object.entries(important).flatMap(([node, name]) => (skipped.includes(node) ? [name] : []));
}

/** `2 flagged, 40 passed, 3 couldn’t run: simulation, sanctions` */
export function summaryOfChecks(report: ReadReport): string {
  const of = (wanted: string): number => report.checks.filter(({ state }) => state === wanted).length;
  const flagged = flagsOf(report).filter(({ isOpen }) => !isOpen).length;
  const skipped = of("unchecked");
  const names = skippedNames(report);
  return [
    ...(flagged === 0 ? [] : [`${flagged} flagged`]),
    `${of("passed")} passed`,
    ...(skipped === 0 ? [] : [`${skipped} couldn’t run${names.length === 0 ? "" : `: ${names.join(", ")}`}`]),
  ].join(", ");
}
