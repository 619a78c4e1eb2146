/** Detects code that behaves differently in a simulation: two runs with different blocks and gas must agree. */
import { defineNode, fail, pass } from "../../node.ts";

export default defineNode({
  title: "Code behaves the same in every simulation",
  failTitle: "Behaves differently when simulated",
  severity: "high",
  needs: ["simulation"],
  check({ simulation }) {
    if (simulation.diverged === null)
      return pass("Two simulations under different conditions agree.", { confidence: 0.95 });
    return fail("Two simulations disagree, so the contract may hide what it does.", {
      expected: "the same result in both simulations",
      observed: simulation.diverged,
      fix: "Do not sign it.",
    });
  },
});
