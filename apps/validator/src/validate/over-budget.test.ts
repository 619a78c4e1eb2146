import { beforeAll, expect, test } from "vitest";
import { startEngine, type RealEngine } from "../../test/real-engine.ts";
import { payment } from "../../test/some-requests.ts";
import { overBudgetVerdict } from "./over-budget.ts";
import type { Verdict } from "./validate.ts";

let real: RealEngine;
let ordinary: Verdict;
beforeAll(async () => {
  real = await startEngine();
  const verdict = await real.ask(JSON.stringify(payment));
  if (verdict === null) throw new Error("an honest request was refused");
  ordinary = verdict;
});

test.each([
  ["time", "The check took too long and was stopped, so nothing was verified."],
  ["memory", "The check needed too much memory and was stopped, so nothing was verified."],
] as const)("says that nothing was verified for want of %s, and claims no difference", (exceeded, why) => {
  const primary = "technical_invariants.decodability";
  expect(overBudgetVerdict(exceeded, real.engine)).toMatchObject({
    decision: "REJECT",
    reason: why,
    protocol: null,
    primary_failure_node: primary,
    llm_calls: 0,
    results: { [primary]: { status: "SKIP", reasoning: why, details: { skip_kind: "not_checked" } } },
    explanation: {
      decision: "REJECT",
      summary: why,
      key_issues: [{ node: primary, reasoning: why }],
      affected_nodes: { technical_invariants: [primary] },
      confidence_summary: { passed: 0, failed: 0, skipped: real.engine.nodes.length },
    },
    assessment: { kind: "not_checked", unread: [], missing: [{ what: exceeded, why }], restated: "" },
  });
});

test("has the fields of every other verdict, and a result for every check", () => {
  const verdict = overBudgetVerdict("time", real.engine);
  expect(Object.keys(verdict)).toEqual(Object.keys(ordinary));
  expect(Object.keys(verdict.results)).toEqual(Object.keys(ordinary.results));
  expect(Object.keys(verdict.explanation ?? {})).toEqual(Object.keys(ordinary.explanation ?? {}));
  expect([...Object.keys(verdict.context), "duration_ms"]).toEqual(Object.keys(ordinary.context));
  expect(new Set(Object.values(verdict.results).map(({ status }) => status))).toEqual(new Set(["SKIP"]));
});
