import { readFileSync } from "node:fs";

export const wires = ["2025-11-25", "2026-07-28"] as const;
export type Wire = (typeof wires)[number];

/** One line of the suite's report. */
export type Check = {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly errorMessage?: string;
};

export type Run = { readonly scenario: string; readonly wire: Wire; readonly checks: readonly Check[] };

/** A check that fails and may, and why it may. */
export type ExpectedFailure = Pick<Run, "scenario" | "wire"> & {
  readonly check: string;
  readonly reason: string;
};

export const readExpectedFailures = (): readonly ExpectedFailure[] =>
  JSON.parse(
    readFileSync(new URL("expected-failures.json", import.meta.url), "utf8"),
  ) as readonly ExpectedFailure[];

/** Returns unexpected results as sentences: tests that fail but should pass, and tests that pass but should fail. */
export function findSurprises(run: Run, expected: readonly ExpectedFailure[]): readonly string[] {
  const { scenario, wire, checks } = run;
  const where = `${scenario} (${wire})`;
  if (checks.length === 0) return [`${where} checked nothing`];
  const mayFail = new Set(
    expected.filter((one) => one.scenario === scenario && one.wire === wire).map(({ check }) => check),
  );
  const failed = checks.filter(({ status }) => status === "FAILURE");
  const unexpected = failed.filter(({ id }) => !mayFail.has(id));
  const mended = [...mayFail].filter((check) => !failed.some(({ id }) => id === check));
  return [
    ...unexpected.map(({ id, errorMessage = "no message" }) => `${where} fails ${id}: ${errorMessage}`),
    ...mended.map((check) => `${where} was expected to fail ${check} and does not: take it off the list`),
  ];
}
