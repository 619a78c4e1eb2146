// Groups checks by family and state.
import type { Check } from "@countersign/sdk/report";

const families: Readonly<Record<string, string>> = {
  intent_alignment: "Matches your request",
  technical_invariants: "Valid transaction",
  legal_compliance: "Policy and sanctions",
  adversarial_detection: "Scams and attacks",
};

export const familyHeading = (family: string): string => families[family] ?? family.replaceAll("_", " ");

export type CheckState = Check["state"];

export const stateWords: Readonly<Record<CheckState, string>> = {
  failed: "Flagged",
  unchecked: "Couldn’t run",
  passed: "Passed",
  idle: "Not applicable",
};

export type Family = {
  readonly family: string;
  readonly heading: string;
  readonly byState: Readonly<Record<CheckState, readonly Check[]>>;
};

/** Known families come first in a fixed order, unknown ones last under their own name. */
export function groupChecks(checks: readonly Check[]): readonly Family[] {
  const known = Object.keys(families);
  const others = checks.map(({ family }) => family).filter((family) => !known.includes(family));
  return [...known, ...new Set(others)]
    .map((family) => ({ family, all: checks.filter((check) => check.family === family) }))
    .filter(({ all }) => all.length > 0)
    .map(({ family, all }) => {
      const of = (state: CheckState): readonly Check[] => all.filter((check) => check.state === state);
      return {
        family,
        heading: familyHeading(family),
        byState: { failed: of("failed"), unchecked: of("unchecked"), passed: of("passed"), idle: of("idle") },
      };
    });
}

/** `Confidence 88 %` */
export const confidenceText = (confidence: number): string => `Confidence ${Math.round(confidence * 100)} %`;
