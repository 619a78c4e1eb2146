/** The verdict for a request whose check was terminated: nothing was verified, and no difference is claimed. */
import type { Assessment } from "../assessment.ts";
import { skip } from "../node.ts";
import type { Ran } from "./2-run-nodes.ts";
import { decide } from "./3-decide.ts";
import { explain, resultsOf, type Explanation } from "./4-explain.ts";
import { describeContext } from "./describe-context.ts";
import type { Engine } from "./engine.ts";
import type { Verdict } from "./validate.ts";

const reasons = {
  time: "The check took too long and was stopped, so nothing was verified.",
  memory: "The check needed too much memory and was stopped, so nothing was verified.",
} as const;
export type Exceeded = keyof typeof reasons;

/** The check that reports what could not be read speaks for all. */
const speaker = "technical_invariants.decodability";
const fix = "Split the request and the transaction into smaller ones.";

/** The same for every request, so that a worker can build it in advance. The caller completes `context`. */
export function overBudgetVerdict(exceeded: Exceeded, engine: Engine): Verdict {
  const why = reasons[exceeded];
  const ran = engine.nodes.map((node) => ({ ...node, finding: skip("not_checked", why, { fix }) }));
  const spoken = ran.filter(({ id }) => id === speaker);
  const assessment: Assessment = {
    kind: "not_checked",
    unread: [],
    missing: [{ what: exceeded, why }],
    restated: "",
  };
  const decision = decide(spoken, assessment, engine);
  return {
    decision: decision.decision,
    reason: decision.reason,
    protocol: null,
    primary_failure_node: decision.primary,
    llm_calls: 0,
    results: resultsOf(ran, ""),
    extracted_elements: {},
    context: describeContext({ body: { human_intent: "" }, facts: {}, ran, decision, engine, prompts: [] }),
    explanation: { ...explainBy(spoken), confidence_summary: explainBy(ran).confidence_summary },
    assessment,
  };

  function explainBy(told: readonly Ran[]): Explanation {
    const { version, catalogueVersion, requireSanctions, nodes } = engine;
    const metadata = { engine: version, catalogue: catalogueVersion, checks: nodes.length, llm_calls: 0 };
    return explain({ ran: told, decision, words: "", requireSanctions, metadata });
  }
}
