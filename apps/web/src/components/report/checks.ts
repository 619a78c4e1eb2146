// The checks as they are listed: by family, and within one by what came of them.
import type { Check } from "@countersign/sdk/report";

const families: Readonly<Record<string, string>> = {
  intent_alignment: "Does it match the words",
  technical_invariants: "Is it sound",
  legal_compliance: "Is it allowed",
  adversarial_detection: "Is it an attack",
};

const familyHeading = (family: string): string => families[family] ?? family.replaceAll("_", " ");

export type CheckState = Check["state"];

export const stateWords: Readonly<Record<CheckState, string>> = {
  failed: "Objects",
  unchecked: "Could not be checked",
  passed: "Passed",
  idle: "Had nothing to look at",
};

export type Family = {
  readonly family: string;
  readonly heading: string;
  readonly byState: Readonly<Record<CheckState, readonly Check[]>>;
};

/** In the order that we know; families that we do not know come last, under the name they have. */
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

/** `very sure (1.00 of 1)` */
export function sureness(confidence: number): string {
  const word =
    confidence >= 0.95
      ? "very sure"
      : confidence >= 0.8
        ? "fairly sure"
        : confidence >= 0.5
          ? "not sure"
          : "unsure";
  return `${word} (${confidence.toFixed(2)} of 1)`;
}
