// The three outcomes that a report can have, and the assessment they follow from.
import type { Assessment, Issue, Outcome } from "./types.ts";
import { listOf, membersOf, spanOf, type TextOf } from "./values.ts";

const kinds = ["entailed", "contradicted", "not_understood", "not_checked"] as const;

/** Returns null for a report of a validator that does not assess yet. */
export function assessmentOf(value: unknown, textOf: TextOf): Assessment | null {
  const { kind, unread, missing, restated, by_effect: byEffect } = membersOf(value);
  const known = kinds.find((one) => one === kind);
  if (known === undefined) return null;
  return {
    kind: known,
    unread: listOf(unread).map((one) => {
      const { span, text, why } = membersOf(one);
      return { span: spanOf(span, textOf), text: textOf(text) ?? "", why: textOf(why) ?? "" };
    }),
    missing: listOf(missing).map((one) => {
      const { what, why } = membersOf(one);
      return { what: textOf(what) ?? "", why: textOf(why) ?? "" };
    }),
    restated: textOf(restated) ?? "",
    byEffect: byEffectOf(byEffect, textOf),
  };
}

function byEffectOf(value: unknown, textOf: TextOf): Assessment["byEffect"] {
  if (value === undefined || value === null) return null;
  const { contract, block } = membersOf(value);
  return { contract: textOf(contract) ?? "?", block: textOf(membersOf(block)["number"]) ?? "?" };
}

type Parts = {
  readonly decision: "PASS" | "REJECT";
  readonly assessment: Assessment | null;
  readonly issues: readonly Issue[];
  /** The result of the check that decided, as the report has it. */
  readonly primary: unknown;
};

/**
 * A rejection is `unverified` only if the deciding check could not run. A failed check is never hidden by a part of the
 * request that was not understood.
 */
export function outcomeOf({ decision, assessment, issues, primary }: Parts): Outcome {
  if (decision === "PASS")
    return assessment === null || assessment.kind === "entailed" ? "matches" : "unverified";
  if (assessment === null)
    return issues.length > 0 && issues.every(({ isOpen }) => isOpen) ? "unverified" : "differs";
  if (assessment.kind === "contradicted") return "differs";
  return membersOf(primary)["status"] === "SKIP" ? "unverified" : "differs";
}

const headlines = {
  matches: "Matches what you asked",
  differs: "Differs from what you asked",
  unverified: "Could not be verified",
} as const satisfies Readonly<Record<Outcome, string>>;

/** A rejection by safety or policy checks alone claims no difference from the request. */
export const headlineOf = (outcome: Outcome, issues: readonly Issue[]): string => {
  const failed = issues.filter(({ isOpen }) => !isOpen);
  return outcome === "differs" &&
    failed.length > 0 &&
    failed.every(({ family }) => family !== "intent_alignment")
    ? "Blocked for safety"
    : headlines[outcome];
};
